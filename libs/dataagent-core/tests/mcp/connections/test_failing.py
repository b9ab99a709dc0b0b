"""Servers that die, hang, flood, lie and refuse: a clear error, and nothing is left of them.

That no process and no descriptor is left is the fixture's to see, after every test.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable

import pytest
from leftovers import becomes
from mcp_openers import ALICE, CountingOpener, calls_of, link_of, small, text_of

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections import ConnectionLimits, MCPConnectionManager

MakeManager = Callable[..., MCPConnectionManager]


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


async def test_a_process_killed_during_a_call_fails_that_call_and_the_next_starts_another(
    manager: MCPConnectionManager, opener: CountingOpener
):
    server = manager.connection(ALICE, small())
    pid = int(text_of(await server.call("pid", {}, timeout_s=10)))
    call = asyncio.create_task(server.call("sleep", {"seconds": 60}, timeout_s=60))
    await becomes(lambda: calls_of(server) == 1)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(MCPServerError, match=r"was lost during the call of 'sleep'.*unknown.*137"):
        await call
    other = int(text_of(await server.call("pid", {}, timeout_s=10)))
    assert other != pid
    assert len(opener.opened) == 2


async def test_the_reason_is_known_as_soon_as_the_connection_is_gone(
    manager: MCPConnectionManager,
):
    server = manager.connection(ALICE, small())
    await server.tools(fresh=True)
    live = link_of(server).live
    assert live is not None
    live.end(MCPServerError("small", "ended with exit code 9."))
    # Its owner task has not run since.
    assert server.status.state == "disconnected"
    assert server.status.detail == "ended with exit code 9."


async def test_a_process_killed_between_two_calls_is_noticed_without_a_call(
    manager: MCPConnectionManager, opener: CountingOpener
):
    server = manager.connection(ALICE, small())
    os.kill(int(text_of(await server.call("pid", {}, timeout_s=10))), signal.SIGKILL)
    await becomes(lambda: server.status.state == "disconnected")
    assert "exit code 137" in server.status.detail
    await becomes(lambda: opener.open_now == 0)
    assert text_of(await server.call("echo", {"text": "back"}, timeout_s=10)) == "back"
    assert server.status.state == "connected"


async def test_a_server_that_dies_of_every_call_is_not_started_for_every_call(
    make_manager: MakeManager, opener: CountingOpener
):
    clock = Clock()
    manager = make_manager(now_s=clock, random=lambda: 1.0)
    server = manager.connection(ALICE, small())
    for started in (1, 2):
        with pytest.raises(MCPServerError, match="told to crash"):
            await server.call("crash", {}, timeout_s=10)
        await becomes(lambda: opener.open_now == 0)
        assert len(opener.opened) == started
    with pytest.raises(
        MCPServerError, match=r"was tried 2 times, next try in 1 s: .*told to crash"
    ):
        await server.call("echo", {"text": "?"}, timeout_s=10)
    assert len(opener.opened) == 2
    clock.now_s += 1
    await server.call("echo", {"text": "!"}, timeout_s=10)
    with pytest.raises(MCPServerError, match="told to crash"):
        await server.call("crash", {}, timeout_s=10)
    # An answer in between: the first loss of a new row waits for nothing.
    await server.call("echo", {"text": "!"}, timeout_s=10)


async def test_a_server_that_does_not_start_is_tried_less_and_less_often(
    make_manager: MakeManager, opener: CountingOpener
):
    clock = Clock()
    manager = make_manager(now_s=clock, random=lambda: 1.0)
    server = manager.connection(ALICE, small("--refuse-start"))
    for times, wait_s in enumerate((1, 2, 4, 8), start=1):
        with pytest.raises(MCPServerError, match=r"exit code 3.*refuses to start"):
            await server.call("echo", {}, timeout_s=10)
        await becomes(lambda: opener.open_now == 0)
        assert len(opener.opened) == times
        clock.now_s += wait_s - 0.5
        with pytest.raises(MCPServerError, match=r"next try in \d+ s: .*refuses to start"):
            await server.call("echo", {}, timeout_s=10)
        assert len(opener.opened) == times
        clock.now_s += 0.5
    assert server.status.state == "error"
    # Whoever asks for a fresh listing is a person: they need not wait.
    await manager.disconnect_user(ALICE)
    assert server.status.state == "disconnected"


async def test_a_program_that_is_not_there_is_named(manager: MCPConnectionManager):
    config = MCPServerConfig(name="gone", command="no-such-program-anywhere")
    with pytest.raises(MCPServerError, match=r"'gone'.*no-such-program-anywhere"):
        await manager.connection(ALICE, config).tools()


@pytest.mark.parametrize("words", [("--hang-start",), ("--hang-start", "--deaf")])
async def test_a_server_that_never_answers_fails_at_its_deadline(
    manager: MCPConnectionManager, opener: CountingOpener, words: tuple[str, ...]
):
    server = manager.connection(ALICE, small(*words, timeout=1))
    with pytest.raises(MCPServerError, match="did not connect within 1 s"):
        await server.tools()
    # Whoever asks does not wait until a program that goes on without input is killed.
    assert "--deaf" not in words or opener.open_now == 1


async def test_a_server_that_stops_answering_is_given_up_after_a_late_call(
    manager: MCPConnectionManager, opener: CountingOpener, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dataagent_core.mcp.connections.server_link.MCP_PROBE_S", 0.2)
    server = manager.connection(ALICE, small())
    pid = int(text_of(await server.call("pid", {}, timeout_s=10)))
    os.kill(pid, signal.SIGSTOP)
    assert (await manager.health_check(ALICE))["small"].state == "error"
    started = time.monotonic()
    with pytest.raises(MCPServerError, match=r"within 0\.2 s"):
        await server.call("echo", {}, timeout_s=0.2)
    assert time.monotonic() - started < 30
    await becomes(lambda: opener.open_now == 0)
    assert server.status.state == "disconnected"
    assert server.status.detail == "does not answer any more."
    assert text_of(await server.call("echo", {"text": "new"}, timeout_s=10)) == "new"


async def test_a_hanging_server_holds_nobody_who_is_cancelled(manager: MCPConnectionManager):
    server = manager.connection(ALICE, small())
    os.kill(int(text_of(await server.call("pid", {}, timeout_s=10))), signal.SIGSTOP)
    # More than a pipe holds: the write itself does not come to an end.
    text = "x" * 1_000_000
    calls = [
        asyncio.create_task(server.call("echo", {"text": text}, timeout_s=60)) for _ in range(3)
    ]
    await becomes(lambda: calls_of(server) == 3)
    await asyncio.sleep(0.05)
    started = time.monotonic()
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    assert all(call.cancelled() for call in calls)
    assert time.monotonic() - started < 30


async def test_a_flood_of_notifications_holds_up_nobody(manager: MCPConnectionManager):
    flooded = manager.connection(ALICE, small(name="flooded"))
    other = manager.connection(ALICE, small(name="other"))
    await other.tools(fresh=True)
    flood = asyncio.create_task(flooded.call("flood", {"lines": 2_000}, timeout_s=60))
    slowest = 0.0
    while not flood.done():
        started = time.monotonic()
        await other.call("echo", {"text": "?"}, timeout_s=10)
        slowest = max(slowest, time.monotonic() - started)
    assert text_of(await flood) == "wrote 2000 lines"
    assert slowest < 1


async def test_a_message_beyond_the_limit_ends_the_connection_with_the_reason(
    manager: MCPConnectionManager,
):
    server = manager.connection(ALICE, small())
    with pytest.raises(MCPServerError, match="sent a message of more than 16 MiB"):
        await server.call("big", {"bytes": 10_000_000_000}, timeout_s=60)
    assert text_of(await server.call("echo", {"text": "on"}, timeout_s=10)) == "on"


SLOPPY = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answers = {
        "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "sloppy", "version": "1"}},
        "tools/list": {"tools": [{"name": "odd", "inputSchema": {"type": "object"}}]},
        "tools/call": {"content": "not a list"},
    }
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] in answers:
        answer["result"] = answers[message["method"]]
    else:
        answer["error"] = {"code": -32601, "message": "?" * 5_000}
    print(json.dumps(answer), flush=True)
"""


async def test_a_result_against_the_protocol_fails_that_call_only(
    manager: MCPConnectionManager, opener: CountingOpener
):
    config = MCPServerConfig(name="sloppy", command=sys.executable, args=["-I", "-S", "-c", SLOPPY])
    server = manager.connection(ALICE, config)
    for _ in range(2):
        with pytest.raises(MCPServerError, match=r"'sloppy' answered .* no valid result") as caught:
            await server.call("odd", {}, timeout_s=10)
        assert len(str(caught.value)) < 1_300
    assert len(opener.opened) == 1


@pytest.mark.parametrize(
    "data", ["7", "[1]", "{'elicitations': 7}", "{'elicitations': [{}]}", "{'elicitations': [7]}"]
)
async def test_a_page_to_visit_that_is_none_is_a_refusal(
    manager: MCPConnectionManager, opener: CountingOpener, data: str
):
    odd = SLOPPY.replace(
        'if message["method"] in',
        'if message["method"] == "tools/call":\n'
        f'        answer["error"] = {{"code": -32042, "message": "visit", "data": {data}}}\n'
        '    elif message["method"] in',
    )
    config = MCPServerConfig(name="odd", command=sys.executable, args=["-I", "-S", "-c", odd])
    with pytest.raises(MCPServerError, match=r"refused the call of 'odd': visit \(-32042\)"):
        await manager.connection(ALICE, config).call("odd", {}, timeout_s=10)
    assert len(opener.opened) == 1


async def test_nonsense_instead_of_a_listing_is_a_failure_to_connect(
    manager: MCPConnectionManager,
):
    nonsense = SLOPPY.replace('{"tools": [', '{"nextCursor": 7, "tools": [')
    config = MCPServerConfig(
        name="sloppy", command=sys.executable, args=["-I", "-S", "-c", nonsense]
    )
    with pytest.raises(MCPServerError, match="'sloppy'"):
        await manager.connection(ALICE, config).tools()


async def test_disconnecting_ends_calls_with_the_reason(make_manager: MakeManager):
    manager = make_manager(ConnectionLimits())
    server = manager.connection(ALICE, small())
    await server.tools(fresh=True)
    call = asyncio.create_task(server.call("sleep", {"seconds": 60}, timeout_s=60))
    await becomes(lambda: calls_of(server) == 1)
    await asyncio.sleep(0)
    await manager.disconnect_user(ALICE)
    with pytest.raises(MCPServerError, match="was disconnected: the session ended"):
        await call


async def test_closing_while_a_server_is_being_started_leaves_nothing(
    make_manager: MakeManager, opener: CountingOpener
):
    manager = make_manager()
    server = manager.connection(ALICE, small("--hang-start"))
    listing = asyncio.create_task(server.tools())
    await becomes(lambda: opener.open_now == 1)
    await manager.aclose()
    assert opener.open_now == 0
    with pytest.raises(MCPServerError, match="DataAgent is stopping"):
        await listing
    with pytest.raises(MCPServerError, match="DataAgent is stopping"):
        await server.tools()
