"""Notifies a client when a session it subscribed to has changed; FastMCP does not implement this.

Before protocol 2026-07-28 a subscription lasts as long as its connection (`resources/subscribe`);
since then it is one long answer (`subscriptions/listen`). A caller can only watch what it may read.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Final

from fastmcp.exceptions import NotFoundError
from fastmcp.server.dependencies import bind_request_context
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    EmptyResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)

from dataagent_core.config.limits.mcp import MCP_SERVED_SUBSCRIPTIONS_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.mcp.server.ports import MCPServices
from dataagent_core.mcp.server.resource_addresses import session_of_address

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession

_STATE: Final = "dataagent_subscriptions"
WatchTasks = dict[str, "asyncio.Task[None] | None"]
Notify = Callable[[], Awaitable[None]]


class SubscriptionMiddleware:
    """Serves the three methods for one server."""

    def __init__(self, server: "FastMCP[Any]", services: MCPServices) -> None:
        self._server = server
        self._services = services

    async def subscribe(
        self, ctx: "ServerRequestContext[Any]", params: SubscribeRequestParams
    ) -> EmptyResult:
        """Subscribe to a resource; one that never changes is accepted and never notified."""
        uri, session = str(params.uri), ctx.session
        watch_tasks = _load_watch_tasks(session)
        _check_count(len({*watch_tasks, uri}))
        with bind_request_context(ctx):
            await self._check_readable(uri)
            if uri not in watch_tasks:
                watch_tasks[uri] = await self._watch(
                    uri, lambda: session.send_resource_updated(uri)
                )
        return EmptyResult()

    async def unsubscribe(
        self, ctx: "ServerRequestContext[Any]", params: UnsubscribeRequestParams
    ) -> EmptyResult:
        task = _load_watch_tasks(ctx.session).pop(str(params.uri), None)
        if task is not None:
            task.cancel()
        return EmptyResult()

    async def listen(
        self, ctx: "ServerRequestContext[Any]", params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        uris = dict.fromkeys(str(uri) for uri in params.notifications.resource_subscriptions or ())
        _check_count(len(uris))
        # Its own bus, so that a listener gets only changes of the resources checked here.
        bus = InMemorySubscriptionBus()
        watch_tasks: WatchTasks = {}
        try:
            with bind_request_context(ctx):
                for uri in uris:
                    await self._check_readable(uri)
                    watch_tasks[uri] = await self._watch(uri, _make_publisher(bus, uri))
            return await ListenHandler(bus, max_subscriptions=1)(ctx, params)
        finally:
            _cancel_watches(watch_tasks)

    async def _check_readable(self, uri: str) -> None:
        """Read the resource once, which checks that it exists and may be read."""
        try:
            await self._server.read_resource(uri)
        except NotFoundError as error:
            raise MCPError(INVALID_PARAMS, f"Resource not found: {uri!r}", {"uri": uri}) from error

    async def _watch(self, uri: str, notify: Notify) -> "asyncio.Task[None] | None":
        session_id = session_of_address(uri)
        if session_id is None:
            return None
        changes = self._services.session_changes(await self._services.caller(), session_id)

        async def watch() -> None:
            # A session that is deleted or no longer the caller's has no more changes.
            with suppress(DataAgentError):
                async with aclosing(changes):
                    async for _ in changes:
                        await notify()

        return asyncio.create_task(watch())


def add_subscriptions(server: "FastMCP[Any]", services: MCPServices) -> None:
    """Register the methods; changes of the lists of tools and prompts are not announced."""
    middleware = SubscriptionMiddleware(server, services)
    low = server._mcp_server  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] (the library has no other way to add a method)
    low.notification_options = NotificationOptions()
    low.add_request_handler("resources/subscribe", SubscribeRequestParams, middleware.subscribe)
    low.add_request_handler(
        "resources/unsubscribe", UnsubscribeRequestParams, middleware.unsubscribe
    )
    low.add_request_handler(
        "subscriptions/listen", SubscriptionsListenRequestParams, middleware.listen
    )


def _make_publisher(bus: InMemorySubscriptionBus, uri: str) -> Notify:
    return lambda: bus.publish(ResourceUpdated(uri=uri))


def _check_count(count: int) -> None:
    if count > MCP_SERVED_SUBSCRIPTIONS_MAX:
        raise MCPError(
            INVALID_REQUEST,
            f"{MCP_SERVED_SUBSCRIPTIONS_MAX} subscriptions are the most. Take one back.",
        )


def _load_watch_tasks(session: "ServerSession") -> WatchTasks:
    connection = session._connection  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] (where FastMCP keeps what lasts as long as a connection, too)
    known: WatchTasks | None = connection.state.get(_STATE)
    if known is None:
        known = connection.state[_STATE] = {}
        connection.exit_stack.callback(_cancel_watches, known)
    return known


def _cancel_watches(watch_tasks: WatchTasks) -> None:
    for task in watch_tasks.values():
        if task is not None:
            task.cancel()
