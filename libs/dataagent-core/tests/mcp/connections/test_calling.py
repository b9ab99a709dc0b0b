"""One call on one connection: plain, with progress, cancelled, late, and asked in between."""

import asyncio
import json
import time

import pytest
from leftovers import becomes
from mcp_openers import ALICE, CountingOpener, calls_of, small, text_of

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.ports import Elicitation, ElicitationResult


async def test_a_server_is_started_by_its_first_call_and_kept(
    manager: MCPConnectionManager, opener: CountingOpener
):
    server = manager.connection(ALICE, small())
    assert server.status.state == "disconnected"
    assert opener.opened == []
    pids = [text_of(await server.call("pid", {}, timeout_s=10)) for _ in range(20)]
    assert len(set(pids)) == 1
    assert len(opener.opened) == 1
    assert server.status.state == "connected"
    assert server.status.protocol_version == "2025-11-25"
    assert server.status.tools > 10


async def test_a_hundred_sessions_of_one_person_share_one_process(
    manager: MCPConnectionManager, opener: CountingOpener
):
    async def session(number: int) -> tuple[str, str]:
        server = manager.connection(ALICE, small())
        said = text_of(await server.call("echo", {"text": f"{number}"}, timeout_s=20))
        return said, text_of(await server.call("pid", {}, timeout_s=20))

    answers = await asyncio.gather(*(session(number) for number in range(100)))
    assert [said for said, _ in answers] == [str(number) for number in range(100)]
    assert len({pid for _, pid in answers}) == 1
    assert len(opener.opened) == 1


async def test_progress_is_heard_in_the_task_of_the_caller(manager: MCPConnectionManager):
    caller = asyncio.current_task()
    heard: list[tuple[float, float | None, str | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        assert asyncio.current_task() is caller
        heard.append((progress, total, message))

    server = manager.connection(ALICE, small())
    await server.call("progress", {"steps": 5}, timeout_s=10, on_progress=on_progress)
    # Only the latest is kept of what comes faster than it is heard; the last always is.
    assert heard[-1] == (5.0, 5.0, "step 5")
    assert heard == sorted(heard)


async def test_a_cancelled_call_returns_at_once_and_the_server_is_told(
    manager: MCPConnectionManager,
):
    server = manager.connection(ALICE, small())
    await server.tools(fresh=True)
    call = asyncio.create_task(server.call("sleep", {"seconds": 60}, timeout_s=60))
    await becomes(lambda: calls_of(server) == 1)
    await asyncio.sleep(0)
    started = time.monotonic()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert time.monotonic() - started < 30
    told: list[int] = []
    while not told:
        told = json.loads(text_of(await server.call("cancelled", {}, timeout_s=10)))
    assert len(told) == 1


async def test_a_call_that_takes_too_long_fails_and_says_that_its_outcome_is_unknown(
    manager: MCPConnectionManager, opener: CountingOpener
):
    server = manager.connection(ALICE, small())
    with pytest.raises(MCPServerError, match=r"'sleep' within 0.2 s; whether it was done is unk"):
        await server.call("sleep", {"seconds": 60}, timeout_s=0.2)
    assert text_of(await server.call("echo", {"text": "on"}, timeout_s=10)) == "on"
    assert len(opener.opened) == 1


async def test_a_question_of_the_server_reaches_the_person_of_that_call(
    manager: MCPConnectionManager,
):
    asked: list[Elicitation] = []

    async def elicit(elicitation: Elicitation) -> ElicitationResult:
        asked.append(elicitation)
        # The person's time is not the server's: longer than the whole call may take.
        await asyncio.sleep(3.2)
        return ElicitationResult("accept", {"name": "Alice"})

    server = manager.connection(ALICE, small())
    await server.tools(fresh=True)
    answer = await server.call("elicit", {"message": "Who?"}, timeout_s=3, elicit=elicit)
    assert json.loads(text_of(answer)) == {"action": "accept", "content": {"name": "Alice"}}
    assert [one.message for one in asked] == ["Who?"]
    assert asked[0].schema["required"] == ["name"]


async def test_without_a_person_a_question_is_declined(manager: MCPConnectionManager):
    server = manager.connection(ALICE, small())
    answer = await server.call("elicit", {}, timeout_s=10)
    assert json.loads(text_of(answer)) == {"action": "decline"}


async def test_among_several_calls_a_question_goes_to_the_only_one_that_can_be_asked(
    manager: MCPConnectionManager,
):
    async def elicit(_: Elicitation) -> ElicitationResult:
        return ElicitationResult("accept", {"name": "Alice"})

    server = manager.connection(ALICE, small())
    others = [
        asyncio.create_task(server.call("sleep", {"seconds": 30}, timeout_s=60)) for _ in range(3)
    ]
    answer = await server.call("elicit", {}, timeout_s=10, elicit=elicit)
    assert json.loads(text_of(answer))["action"] == "accept"

    async def never(_: Elicitation) -> ElicitationResult:
        raise AssertionError("Nobody knows whose question it is.")

    two = [server.call("elicit", {}, timeout_s=10, elicit=never) for _ in range(2)]
    for one in await asyncio.gather(*two):
        assert json.loads(text_of(one)) == {"action": "decline"}
    for other in others:
        other.cancel()


async def test_what_asking_raises_ends_the_call_and_not_the_connection(
    manager: MCPConnectionManager, opener: CountingOpener
):
    class Paused(Exception):  # noqa: N818 (stands for an interrupt, which is no error)
        pass

    async def elicit(_: Elicitation) -> ElicitationResult:
        raise Paused

    server = manager.connection(ALICE, small())
    with pytest.raises(Paused):
        await server.call("elicit", {}, timeout_s=10, elicit=elicit)
    assert text_of(await server.call("echo", {"text": "on"}, timeout_s=10)) == "on"
    assert len(opener.opened) == 1


async def test_a_tool_that_is_not_there_is_named_with_those_that_are(
    manager: MCPConnectionManager,
):
    server = manager.connection(ALICE, small())
    with pytest.raises(MCPServerError, match=r"has no tool 'fly' .* It has: echo, env, "):
        await server.call("fly", {}, timeout_s=10)


@pytest.mark.parametrize(
    "arguments", [{"text": "\ud800"}, {"text": float("nan")}, {"text": object()}]
)
async def test_arguments_that_are_no_json_are_refused_before_anything_is_started(
    manager: MCPConnectionManager, opener: CountingOpener, arguments: dict[str, object]
):
    server = manager.connection(ALICE, small())
    with pytest.raises(MCPServerError, match="the arguments of 'echo' are no JSON"):
        await server.call("echo", arguments, timeout_s=10)
    assert opener.opened == []


async def test_a_failure_of_the_tool_itself_is_its_result(manager: MCPConnectionManager):
    result = await manager.connection(ALICE, small()).call("fail", {"text": "no"}, timeout_s=10)
    assert result.is_error
    assert text_of(result) == "no"


async def test_lines_that_are_no_messages_are_passed_over(manager: MCPConnectionManager):
    server = manager.connection(ALICE, small())
    assert "junk" in text_of(await server.call("junk", {"lines": 20}, timeout_s=10))
