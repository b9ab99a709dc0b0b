"""A connected server: its session, its current tools, its running calls.

Imported by owner tasks only: the SDK takes most of a second to import. `server_link.py` opens and
closes the connection; `calls/tool_request.py` makes a call.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio
from mcp.client import Client, ClientRequestContext, IncomingMessage, Transport
from mcp.client.session import ClientSession
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import PromptsListChanged, ResourcesListChanged
from mcp_types import (
    CONNECTION_CLOSED,
    REQUEST_TIMEOUT,
    CallToolResult,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestParams,
    ElicitResult,
    ErrorData,
    Implementation,
    ListRootsResult,
    PromptListChangedNotification,
    ResourceListChangedNotification,
    Tool,
    ToolListChangedNotification,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from dataagent_core.config.limits.mcp import (
    MCP_LISTEN_TRIES_MAX,
    MCP_REASON_WAIT_S,
    MCP_RELIST_PAUSE_S,
)
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections.calls.request_codec import (
    answer_of_model,
    elicitation_of,
    result_of,
    roots_result,
)
from dataagent_core.mcp.connections.calls.server_call import (
    ResultT,
    ServerCall,
    current_call,
    mark_retrieved,
)
from dataagent_core.mcp.connections.calls.tool_request import ToolRequest
from dataagent_core.mcp.connections.connection_key import ConnectionKey
from dataagent_core.mcp.connections.fetch_listing import ListingPages, fetch_tools
from dataagent_core.mcp.connections.listing_cache import ListingCache
from dataagent_core.mcp.connections.live_content import ContentListener, LiveContent
from dataagent_core.mcp.connections.reasons import shorten_reason
from dataagent_core.mcp.connections.watched_transport import WatchedTransport
from dataagent_core.mcp.ports import ElicitationResult
from dataagent_core.mcp.transports.problems import problem_of

_CLIENT = Implementation(name="dataagent", version=version("dataagent-core"))


class LiveServer:
    """One open client."""

    session: ClientSession
    # Its resources and prompts.
    content: LiveContent

    def __init__(
        self,
        key: ConnectionKey,
        listings: ListingCache,
        on_gone: Callable[[], None],
        roots: Sequence[Path],
    ) -> None:
        self._key = key
        self._roots = roots
        self._listings = listings
        self._on_gone = on_gone
        self._stale = asyncio.Event()
        self._listing = asyncio.Lock()
        # The last input that was no message; the transport limits their number.
        self.nonsense = ""
        self.is_gone = False
        self.problem: MCPServerError | None = None
        self.tools: tuple[Tool, ...] = ()
        self.note = ""
        self.pages = ListingPages()
        self.calls: set[ServerCall] = set()
        self.over = asyncio.Event()
        # Abandoned requests whose cancellation is still being sent.
        self.leftovers: set[asyncio.Task[Any]] = set()

    @property
    def protocol_version(self) -> str:
        return self.session.protocol_version or ""

    @property
    def is_modern(self) -> bool:
        return self.session.protocol_version in MODERN_PROTOCOL_VERSIONS

    def end(self, problem: MCPServerError | None = None) -> None:
        self.is_gone = True
        self.problem = self.problem or problem
        self._on_gone()

    async def why_lost(self) -> MCPServerError | None:
        """Wait briefly for the reason from the transport or the owner task."""
        if self.problem is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(MCP_REASON_WAIT_S):
                    await self.over.wait()
        return self.problem

    async def call(
        self, call: ServerCall, tool: str, arguments: dict[str, Any], timeout_s: float
    ) -> CallToolResult:
        request = ToolRequest(
            self._key.server, self.session, tool, arguments, self.list_tools, self._roots
        )
        return await call.result(self._map_errors(request.run(call)), timeout_s, self.leftovers)

    async def request(
        self, call: ServerCall, request: Coroutine[Any, Any, ResultT], timeout_s: float
    ) -> ResultT:
        """Send a request other than a tool call."""
        return await call.result(self._map_errors(request), timeout_s, self.leftovers)

    async def _map_errors(self, request: Coroutine[Any, Any, ResultT]) -> ResultT:
        """Turn every other error into one about this server."""
        try:
            return await request
        except (MCPError, ValidationError, MCPServerError):
            raise
        except Exception as error:
            # The SDK or a transport may raise anything over a server's input.
            raise problem_of(error, self._key.server) from error

    async def refresh_tools(self, wait_s: float, *, only_if_stale: bool) -> None:
        """List the tools now, within `wait_s`."""
        # While a change is being listed, the known tools are out of date.
        if only_if_stale and not self._stale.is_set() and not self._listing.locked():
            return
        listing = self._run_detached(self._map_errors(self.list_tools()))
        try:
            await asyncio.wait({listing}, timeout=wait_s)
            if not listing.done():
                raise MCPServerError(
                    self._key.server, f"did not list its tools within {wait_s:g} s."
                )
            listing.result()
        except (MCPError, ValidationError) as error:
            raise problem_of(error, self._key.server) from None
        finally:
            listing.cancel()

    async def list_tools(self) -> None:
        async with self._listing:
            self._stale.clear()
            self.pages.begin()
            fetched = await fetch_tools(self.session)
            self.tools = await self._listings.keep(self._key, fetched.items, fetched.size_bytes)
            self.note = " ".join(part for part in (self.pages.note, fetched.note) if part)

    async def answers(self, wait_s: float) -> bool:
        """Return whether the server answers a probe; a refusal counts too."""
        probe = self._run_detached(self._probe())
        try:
            await asyncio.wait({probe}, timeout=wait_s)
            return probe.done() and probe.result()
        finally:
            probe.cancel()

    def _run_detached(self, work: Coroutine[Any, Any, ResultT]) -> asyncio.Task[ResultT]:
        """Run work in a task that may outlive its caller: notifying the server takes time."""
        task = asyncio.create_task(work)
        self.leftovers.add(task)
        task.add_done_callback(self.leftovers.discard)
        task.add_done_callback(mark_retrieved)
        return task

    async def _probe(self) -> bool:
        try:
            if self.is_modern:
                await self.session.send_discover(self.protocol_version)
            else:
                await self.session.send_ping()
        except MCPError as error:
            return error.code not in (CONNECTION_CLOSED, REQUEST_TIMEOUT)
        except ValidationError:
            return True
        return True

    async def on_message(self, message: IncomingMessage) -> None:
        match message:
            case ToolListChangedNotification():
                self._stale.set()
            case ResourceListChangedNotification():
                self.content.resources_changed()
            case PromptListChangedNotification():
                self.content.prompts_changed()
            case Exception() if not isinstance(message, MCPServerError):
                self.nonsense = shorten_reason(str(message))
            case _:
                pass

    async def on_elicitation(
        self,
        context: ClientRequestContext,  # noqa: ARG002 (the SDK's signature)
        params: ElicitRequestParams,
    ) -> ElicitResult:
        """Ask the person of a call the question of a handshake-era server."""
        call = self._find_asking_call(lambda one: one.elicit is not None)
        if call is None:
            return result_of(ElicitationResult("decline"))
        return result_of(await call.ask(elicitation_of(params)))

    async def on_sampling(
        self,
        context: ClientRequestContext,  # noqa: ARG002 (the SDK's signature)
        params: CreateMessageRequestParams,
    ) -> CreateMessageResult | ErrorData:
        """Have our model answer a handshake-era server, for the call it belongs to."""
        call = self._find_asking_call(lambda one: one.sample is not None)
        return await answer_of_model(params, call or ServerCall())

    def _find_asking_call(self, may_ask: Callable[[ServerCall], bool]) -> ServerCall | None:
        """Find the call in which a handshake-era server asks, which the request does not name."""
        call = current_call.get()
        if call in self.calls:
            return call
        askers = [one for one in self.calls if may_ask(one)]
        return askers[0] if len(askers) == 1 else None

    async def on_list_roots(
        self,
        context: ClientRequestContext,  # noqa: ARG002 (the SDK's signature)
    ) -> ListRootsResult:
        return roots_result(self._roots)

    async def keep_listing(self) -> None:
        """List the tools again after each change; a failure keeps the current listing."""
        while True:
            await self._stale.wait()
            try:
                await self.list_tools()
            except (MCPError, ValidationError) as error:
                self.note = shorten_reason(f"Its tools changed, but it does not list them: {error}")
            # A pause, because each change costs a listing.
            await anyio.sleep(MCP_RELIST_PAUSE_S)

    async def listen(self, client: Client, announced: ContentListener) -> None:
        """Subscribe to changes, which modern servers send to subscribers only."""
        for _ in range(MCP_LISTEN_TRIES_MAX):
            try:
                async with client.listen(
                    tools_list_changed=announced.tools,
                    resources_list_changed=announced.resources,
                    prompts_list_changed=announced.prompts,
                ) as events:
                    async for event in events:
                        self._handle_event(event)
                return  # the server ended the subscription
            except (SubscriptionLost, MCPError):
                # Changes in between are not sent again.
                self._stale.set()
                self.content.resources_changed()
                self.content.prompts_changed()
                await anyio.sleep(MCP_RELIST_PAUSE_S)

    def _handle_event(self, event: object) -> None:
        match event:
            case ResourcesListChanged():
                self.content.resources_changed()
            case PromptsListChanged():
                self.content.prompts_changed()
            case _:
                self._stale.set()


@asynccontextmanager
async def _raise_transport_problem(live: LiveServer) -> AsyncGenerator[None]:
    """Raise the problem the transport reported instead of the error of its end."""
    try:
        yield
    except Exception as error:
        if live.problem is None:
            raise
        raise live.problem from error


@asynccontextmanager
async def open_live_server(
    transport: Transport,
    key: ConnectionKey,
    listings: ListingCache,
    on_gone: Callable[[], None],
    *,
    legacy: bool,
    roots: Sequence[Path] = (),
    offers_sampling: bool = False,
) -> AsyncGenerator[LiveServer]:
    """Connect and list the tools; one task must enter and leave the context."""
    live = LiveServer(key, listings, on_gone, roots)
    client = Client(
        WatchedTransport(transport, live.pages, live.end),
        # The modern probe may cost a server that ignores it ten seconds, at its first connect.
        mode="legacy" if legacy else "auto",
        client_info=_CLIENT,
        elicitation_callback=live.on_elicitation,
        # Without a callback the capability is not declared.
        sampling_callback=live.on_sampling if offers_sampling else None,
        list_roots_callback=live.on_list_roots if roots else None,
        message_handler=live.on_message,
        cache=None,
    )
    async with _raise_transport_problem(live), client:
        live.session = client.session
        live.pages.version = live.protocol_version or live.pages.version
        announced = ContentListener.from_capabilities(client.server_capabilities)
        live.content = LiveContent(
            key.server, live.session, client.server_capabilities, announced, live.pages
        )
        await live.list_tools()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(live.keep_listing)
            if live.is_modern and any(announced):
                tasks.start_soon(live.listen, client, announced)
            try:
                yield live
            finally:
                tasks.cancel_scope.cancel()
