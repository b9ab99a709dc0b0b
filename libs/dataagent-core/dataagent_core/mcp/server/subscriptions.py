"""Telling a client that a session it subscribed to has changed; the library serves neither way.

Before 2026-07-28 a subscription lasts as long as its connection (`resources/subscribe`); since then
it is one long answer (`subscriptions/listen`). Only what the caller may read can be watched, and
each watches for themselves: nobody learns that something changed which they may not see.
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
Watching = dict[str, "asyncio.Task[None] | None"]
Tell = Callable[[], Awaitable[None]]


class SubscriptionMiddleware:
    """Serves the three methods for one server."""

    def __init__(self, server: "FastMCP[Any]", house: MCPServices) -> None:
        self._server = server
        self._house = house

    async def subscribe(
        self, ctx: "ServerRequestContext[Any]", params: SubscribeRequestParams
    ) -> EmptyResult:
        """Watch what can change; what never does is watched too, and never told."""
        uri, session = str(params.uri), ctx.session
        watching = _watching(session)
        _check_room(len({*watching, uri}))
        with bind_request_context(ctx):
            await self._check(uri)
            if uri not in watching:
                watching[uri] = await self._watch(uri, lambda: session.send_resource_updated(uri))
        return EmptyResult()

    async def unsubscribe(
        self, ctx: "ServerRequestContext[Any]", params: UnsubscribeRequestParams
    ) -> EmptyResult:
        """Stop watching."""
        task = _watching(ctx.session).pop(str(params.uri), None)
        if task is not None:
            task.cancel()
        return EmptyResult()

    async def listen(
        self, ctx: "ServerRequestContext[Any]", params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Tell changes until the client goes."""
        uris = dict.fromkeys(str(uri) for uri in params.notifications.resource_subscriptions or ())
        _check_room(len(uris))
        # One of its own, so that a listener hears of nothing but what was checked here.
        bus = InMemorySubscriptionBus()
        watching: Watching = {}
        try:
            with bind_request_context(ctx):
                for uri in uris:
                    await self._check(uri)
                    watching[uri] = await self._watch(uri, _publishing(bus, uri))
            return await ListenHandler(bus, max_subscriptions=1)(ctx, params)
        finally:
            _stop(watching)

    async def _check(self, uri: str) -> None:
        """Read it once, which says whether it is there and may be seen."""
        try:
            await self._server.read_resource(uri)
        except NotFoundError as error:
            raise MCPError(INVALID_PARAMS, f"Resource not found: {uri!r}", {"uri": uri}) from error

    async def _watch(self, uri: str, tell: Tell) -> "asyncio.Task[None] | None":
        session_id = session_of_address(uri)
        if session_id is None:
            return None
        changes = self._house.session_changes(await self._house.caller(), session_id)

        async def watch() -> None:
            # A session that is gone, or no longer theirs, changes no more.
            with suppress(DataAgentError):
                async with aclosing(changes):
                    async for _ in changes:
                        await tell()

        return asyncio.create_task(watch())


def add_subscriptions(server: "FastMCP[Any]", house: MCPServices) -> None:
    """Serve the methods; that lists of tools or prompts change is not promised."""
    subscribing = SubscriptionMiddleware(server, house)
    low = server._mcp_server  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] (the library has no other way to add a method)
    low.notification_options = NotificationOptions()
    low.add_request_handler("resources/subscribe", SubscribeRequestParams, subscribing.subscribe)
    low.add_request_handler(
        "resources/unsubscribe", UnsubscribeRequestParams, subscribing.unsubscribe
    )
    low.add_request_handler(
        "subscriptions/listen", SubscriptionsListenRequestParams, subscribing.listen
    )


def _publishing(bus: InMemorySubscriptionBus, uri: str) -> Tell:
    return lambda: bus.publish(ResourceUpdated(uri=uri))


def _check_room(wanted: int) -> None:
    if wanted > MCP_SERVED_SUBSCRIPTIONS_MAX:
        raise MCPError(
            INVALID_REQUEST,
            f"{MCP_SERVED_SUBSCRIPTIONS_MAX} subscriptions are the most. Take one back.",
        )


def _watching(session: "ServerSession") -> Watching:
    connection = session._connection  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] (where FastMCP keeps what lasts as long as a connection, too)
    known: Watching | None = connection.state.get(_STATE)
    if known is None:
        known = connection.state[_STATE] = {}
        connection.exit_stack.callback(_stop, known)
    return known


def _stop(watching: Watching) -> None:
    for task in watching.values():
        if task is not None:
            task.cancel()
