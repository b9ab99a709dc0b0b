"""A server of the 2026-07-28 era, run by the SDK within this process: the same calls, other wires."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import mcp_types as types
import pytest
from leftovers import becomes
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import UrlElicitationRequiredError
from mcp_openers import ALICE, CountingOpener, in_process_opener, link_of, text_of

from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.ports import Elicitation, ElicitationResult

CONFIG = MCPServerConfig(name="modern", command="in this process", timeout=5)
FORM: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}}


def text(said: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=said)])


class Modern:
    """What the server does, and what it saw."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self.names = ["ask", "visit", "twice", "sample", "wait", "steps", "poll"]
        self.cancelled = asyncio.Event()
        self.waiting = asyncio.Event()
        self.visited = False

    def server(self) -> Server[Any]:
        return Server(
            "modern",
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_subscriptions_listen=ListenHandler(self.bus),
        )

    async def list_tools(self, _ctx: Any, _params: Any) -> types.ListToolsResult:
        tools = [types.Tool(name=name, input_schema={"type": "object"}) for name in self.names]
        return types.ListToolsResult(tools=tools, ttl_ms=3_600_000, cache_scope="private")

    async def call_tool(  # noqa: C901, PLR0911 (one case for each tool)
        self, ctx: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        answers = params.input_responses or {}
        match params.name:
            case "ask" | "twice":
                if answers:
                    said = {key: _said(value) for key, value in answers.items()}
                    return text(json.dumps([said, params.request_state]))
                keys = ["a"] if params.name == "ask" else ["a", "b"]
                return types.InputRequiredResult(
                    input_requests={
                        key: types.ElicitRequest(
                            params=types.ElicitRequestFormParams(message=key, requested_schema=FORM)
                        )
                        for key in keys
                    },
                    request_state="sealed",
                )
            case "sample":
                return types.InputRequiredResult(
                    input_requests={
                        "s": types.CreateMessageRequest(
                            params=types.CreateMessageRequestParams(messages=[], max_tokens=1)
                        )
                    }
                )
            case "poll":
                count = int(params.request_state or 0)
                if count == 3:
                    return text("polled")
                return types.InputRequiredResult(request_state=str(count + 1))
            case "visit":
                if self.visited:
                    return text("welcome")
                page = types.ElicitRequestURLParams(
                    message="Sign", url="https://example.com/sign", elicitation_id="1"
                )
                raise UrlElicitationRequiredError([page])
            case "wait":
                self.waiting.set()
                try:
                    await asyncio.sleep(60)
                finally:
                    self.cancelled.set()
                return text("waited")
            case "steps":
                for step in range(1, 4):
                    await ctx.session.report_progress(step, 3, "on the way")
                return text("done")
            case _:
                return text(params.name)


def _said(answer: Any) -> Any:
    return [answer.action, answer.content]


@pytest.fixture
def modern() -> Modern:
    return Modern()


@pytest.fixture
def counted(modern: Modern) -> CountingOpener:
    return CountingOpener(in_process_opener(lambda _owner, _config: modern.server()))


@pytest.fixture
async def manager(counted: CountingOpener) -> AsyncGenerator[MCPConnectionManager]:
    manager = MCPConnectionManager(counted)
    yield manager
    await manager.aclose()
    assert counted.open_now == 0


async def accept(elicitation: Elicitation) -> ElicitationResult:
    return ElicitationResult("accept", {"name": f"for {elicitation.message}"})


async def test_the_modern_era_is_spoken(manager: MCPConnectionManager):
    server = manager.connection(ALICE, CONFIG)
    assert len(await server.tools()) == 7
    assert server.status.protocol_version == "2026-07-28"


async def test_what_a_server_needs_to_know_is_asked_and_the_call_goes_on(
    manager: MCPConnectionManager,
):
    server = manager.connection(ALICE, CONFIG)
    answer = await server.call("ask", {}, timeout_s=5, elicit=accept)
    assert json.loads(text_of(answer)) == [{"a": ["accept", {"name": "for a"}]}, "sealed"]
    answer = await server.call("twice", {}, timeout_s=5, elicit=accept)
    assert json.loads(text_of(answer))[0] == {
        key: ["accept", {"name": f"for {key}"}] for key in "ab"
    }


async def test_each_call_is_asked_for_itself(manager: MCPConnectionManager):
    server = manager.connection(ALICE, CONFIG)

    async def session(name: str) -> list[Any]:
        async def elicit(_: Elicitation) -> ElicitationResult:
            await asyncio.sleep(0)
            return ElicitationResult("accept", {"name": name})

        return json.loads(text_of(await server.call("ask", {}, timeout_s=5, elicit=elicit)))

    names = [f"person {number}" for number in range(20)]
    answers = await asyncio.gather(*(session(name) for name in names))
    assert [answer[0]["a"][1]["name"] for answer in answers] == names


async def test_without_a_person_what_it_needs_is_declined(manager: MCPConnectionManager):
    answer = await manager.connection(ALICE, CONFIG).call("ask", {}, timeout_s=5)
    assert json.loads(text_of(answer))[0] == {"a": ["decline", None]}


async def test_a_server_that_wants_our_model_is_refused(manager: MCPConnectionManager):
    with pytest.raises(MCPServerError, match="'modern'"):
        await manager.connection(ALICE, CONFIG).call("sample", {}, timeout_s=5, elicit=accept)


async def test_a_server_that_wants_to_be_asked_again_later_is(manager: MCPConnectionManager):
    answer = await manager.connection(ALICE, CONFIG).call("poll", {}, timeout_s=5)
    assert text_of(answer) == "polled"


async def test_a_page_to_visit_is_shown_before_the_call_is_made_again(
    manager: MCPConnectionManager, modern: Modern
):
    shown: list[Elicitation] = []

    async def visit(elicitation: Elicitation) -> ElicitationResult:
        shown.append(elicitation)
        modern.visited = True
        return ElicitationResult("accept")

    server = manager.connection(ALICE, CONFIG)
    with pytest.raises(
        MCPServerError, match=r"before this page was visited: https://example.com/s"
    ):
        await server.call("visit", {}, timeout_s=5)
    answer = await server.call("visit", {}, timeout_s=5, elicit=visit)
    assert text_of(answer) == "welcome"
    assert shown == [Elicitation("Sign", {}, "https://example.com/sign")]


async def test_a_cancelled_call_is_cancelled_at_the_server(
    manager: MCPConnectionManager, modern: Modern
):
    call = asyncio.create_task(manager.connection(ALICE, CONFIG).call("wait", {}, timeout_s=60))
    await modern.waiting.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    async with asyncio.timeout(60):
        await modern.cancelled.wait()


async def test_progress_is_heard(manager: MCPConnectionManager):
    heard: list[float] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        assert (total, message) == (3, "on the way")
        heard.append(progress)

    server = manager.connection(ALICE, CONFIG)
    await server.call("steps", {}, timeout_s=5, on_progress=on_progress)
    assert heard[-1] == 3


async def test_a_change_of_tools_reaches_who_listens(manager: MCPConnectionManager, modern: Modern):
    server = manager.connection(ALICE, CONFIG)
    before = await server.tools()
    modern.names.append("added")
    line = link_of(server)
    # A server tells only who listens already, and says nothing again.
    while line.listed is before:
        await modern.bus.publish(ToolsListChanged())
        await asyncio.sleep(0.01)
    assert [tool.name for tool in await server.tools()][-1] == "added"


async def test_a_sign_in_that_is_needed_is_no_failure_of_the_server(
    counted: CountingOpener, modern: Modern
):
    signed_in = False

    def opener(owner: Any, config: Any) -> Any:
        if not signed_in:
            raise SignInNeededError("modern", "files:read")
        return counted(owner, config)

    manager = MCPConnectionManager(opener)
    server = manager.connection(ALICE, CONFIG)
    for _ in range(5):
        with pytest.raises(SignInNeededError):
            await server.tools()
        assert server.status.state == "needs_auth"
    signed_in = True
    assert await server.tools()
    assert server.status.state == "connected"
    await manager.aclose()
    await becomes(lambda: counted.open_now == 0)
