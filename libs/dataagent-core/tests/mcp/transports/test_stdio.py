"""A server that is a program: what it sees, what it may send, and how its end is told."""

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from leftovers import Leftovers, becomes
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_programs import ANA, called, opener, small

from dataagent_core.config.limits.mcp import MCP_MESSAGE_BYTES_MAX, MCP_NONSENSE_LINES_MAX
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import OpenTransport
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.mcp.transports.problems import problem_of
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy, program_limits
from dataagent_core.permissions.denied.denied_files import find_denied
from dataagent_core.permissions.rules import Rule, RuleSet
from dataagent_core.sandbox.bubblewrap.system_binds import list_certificate_binds
from dataagent_core.sandbox.paths.path_masks import DeniedFolder

MIB = 2**20


@pytest.fixture(params=[True, False], ids=["sandboxed", "plain"])
def open_program(request: pytest.FixtureRequest, tmp_path: Path) -> OpenTransport:
    return opener(tmp_path / "homes", sandboxed=request.param)


@pytest.mark.requirement("S2-10.1-stdio")
async def test_a_program_is_talked_to(open_program: OpenTransport):
    async with Client(open_program(ANA, small())) as client:
        assert await called(client, "echo", text="hällo\n日本") == "hällo\n日本"
        listed = await client.list_tools()
        assert "echo" in {tool.name for tool in listed.tools}


async def test_nothing_of_our_environment_reaches_it_but_what_it_is_given(
    open_program: OpenTransport, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATAAGENT_SECRET_KEY", "leaked")
    monkeypatch.setenv("OPENAI_API_KEY", "leaked")
    config = small(env={"TOKEN": "given"})
    async with Client(open_program(ANA, config)) as client:
        seen = json.loads(await called(client, "env"))
    assert seen["TOKEN"] == "given"
    assert "leaked" not in seen.values()
    assert "DATAAGENT_SECRET_KEY" not in seen


async def test_a_program_trusts_the_certificate_authorities_of_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shown = list_certificate_binds()[0].dest
    monkeypatch.setenv("SSL_CERT_FILE", f"{shown}/company.pem")
    monkeypatch.setenv("SSL_CERT_DIR", shown)
    monkeypatch.setenv("NODE_EXTRA_CA_CERTS", f"{shown}-of-others/company.pem")
    async with Client(opener(tmp_path, sandboxed=True)(ANA, small())) as client:
        seen = json.loads(await called(client, "env"))
    assert (seen["SSL_CERT_FILE"], seen["SSL_CERT_DIR"]) == (f"{shown}/company.pem", shown)
    assert seen["UV_SYSTEM_CERTS"] == "true"
    assert "NODE_EXTRA_CA_CERTS" not in seen  # the sandbox would not show it


async def test_a_large_message_within_the_limit_arrives_whole(open_program: OpenTransport):
    async with Client(open_program(ANA, small())) as client:
        assert len(await called(client, "big", bytes=12 * MIB)) == 12 * MIB


async def test_a_message_beyond_the_limit_ends_it_without_being_held(open_program: OpenTransport):
    async def ask() -> None:
        async with Client(open_program(ANA, small())) as client:
            with pytest.raises(MCPError, match="more than 16 MiB"):
                await client.call_tool("big", {"bytes": 10_000_000_000})

    before = psutil.Process().memory_info().rss
    with pytest.raises(MCPServerError, match="more than 16 MiB"):
        await ask()
    assert psutil.Process().memory_info().rss - before < 4 * MCP_MESSAGE_BYTES_MAX


async def test_who_floods_has_to_wait_and_the_loop_goes_on(open_program: OpenTransport):
    """A hundred megabytes of notifications: bounded memory, and a clock that keeps ticking."""
    longest_s = 0.0

    async def tick() -> None:
        nonlocal longest_s
        while True:
            began = time.thread_time()  # of this thread: whatever else the machine does
            await asyncio.sleep(0.001)
            longest_s = max(longest_s, time.thread_time() - began)

    ticking = asyncio.create_task(tick())
    before = psutil.Process().memory_info().rss
    async with Client(open_program(ANA, small())) as client:
        assert await called(client, "flood", lines=10_000) == "wrote 10000 lines"
    ticking.cancel()
    assert longest_s < 1.0
    assert psutil.Process().memory_info().rss - before < 4 * MCP_MESSAGE_BYTES_MAX


async def test_a_few_lines_that_are_no_messages_are_borne(open_program: OpenTransport):
    async with Client(open_program(ANA, small())) as client:
        assert "5 lines of junk" in await called(client, "junk", lines=5)
        assert await called(client, "echo", text="still here") == "still here"


async def test_a_stream_of_nonsense_ends_it(open_program: OpenTransport):
    with pytest.raises(MCPServerError, match="no MCP messages"):
        async with Client(open_program(ANA, small())) as client:
            await client.call_tool("junk", {"lines": MCP_NONSENSE_LINES_MAX + 1})


async def test_a_crash_is_told_at_once_with_its_last_words(open_program: OpenTransport):
    told: list[MCPError] = []

    async def crash() -> None:
        async with Client(open_program(ANA, small())) as client:
            waiting = asyncio.create_task(client.call_tool("sleep", {"seconds": 60}))
            for call in (client.call_tool("crash", {"code": 7}), waiting):
                with pytest.raises(MCPError, match="exit code 7") as caught:
                    await call
                told.append(caught.value)

    began = time.monotonic()
    with pytest.raises(MCPServerError, match=r"exit code 7.*told to crash"):
        await crash()
    assert time.monotonic() - began < 50
    assert str(problem_of(told[1], "small")).startswith(
        "the MCP server 'small' ended with exit code 7; its last words: the small server"
    )


async def test_one_that_is_killed_is_told_as_ended(open_program: OpenTransport):
    left = Leftovers()

    async def kill() -> None:
        async with Client(open_program(ANA, small())) as client:
            waiting = asyncio.create_task(client.call_tool("sleep", {"seconds": 60}))
            for pid in left.processes:
                with suppress(psutil.NoSuchProcess):  # a helper that has ended meanwhile
                    process = psutil.Process(pid)
                    if process.cmdline()[-1:] == small().args and "python" in process.name():
                        process.kill()
            await waiting

    with pytest.raises(MCPServerError, match="exit code 137"):
        await kill()


async def test_one_that_refuses_to_start_says_why(open_program: OpenTransport):
    with pytest.raises(MCPServerError, match=r"exit code 3.*refuses to start"):
        async with Client(open_program(ANA, small("--refuse-start"))):
            pass


async def test_secrets_it_prints_are_not_in_what_is_told_of_its_end(open_program: OpenTransport):
    """Whoever may try a shared server may read why it failed, but not what it was given."""
    key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----"
    config = small("--tell-environment", env={"TOKEN": "s3cret-token", "KEY": key, "LEVEL": "1"})
    with pytest.raises(MCPServerError, match=r"(?s)exit code 3.*TOKEN=\*\*\*") as caught:
        async with Client(open_program(ANA, config)):
            pass
    told = str(caught.value)
    assert "s3cret-token" not in told
    assert "MIIEvQIBADANBg" not in told
    assert "LEVEL=1" in told


async def test_secrets_in_lines_that_are_no_messages_are_hidden_too(open_program: OpenTransport):
    config = small(env={"TOKEN": "no JSON"})
    with pytest.raises(MCPServerError, match=r"the last one: .*this is \*\*\*, line"):
        async with Client(open_program(ANA, config)) as client:
            await client.call_tool("junk", {"lines": MCP_NONSENSE_LINES_MAX + 1})


async def test_a_program_that_is_not_there_is_named(open_program: OpenTransport):
    with pytest.raises(MCPServerError, match=r"no program 'no-such-program'.*Install it"):
        async with Client(open_program(ANA, small(command="no-such-program"))):
            pass


async def test_one_that_never_answers_can_be_given_up(open_program: OpenTransport):
    left = Leftovers()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1), Client(open_program(ANA, small("--hang-start"))):
            pass
    await left.is_nothing()


async def test_one_that_goes_on_without_input_is_killed(open_program: OpenTransport):
    left = Leftovers()
    async with Client(open_program(ANA, small("--deaf"))) as client:
        assert await called(client, "echo", text="x") == "x"
        assert left.processes
    assert not left.processes


@pytest.mark.parametrize("words", [(), ("--deaf",)], ids=["ends itself", "is killed"])
async def test_its_children_end_with_it_also_those_in_sessions_of_their_own(
    open_program: OpenTransport, words: tuple[str, ...]
):
    left = Leftovers()
    async with Client(open_program(ANA, small(*words))) as client:
        await called(client, "children", count=4)
        started = [psutil.Process(pid) for pid in left.processes]
        assert len([one for one in started if one.name() == "sleep"]) == 4
    # Not only those that are still ours: who is left behind belongs to somebody else.
    await becomes(lambda: not any(_lives(one) for one in started))


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_without_a_place_programs_are_refused():
    with pytest.raises(MCPServerError, match="programs are not started here"):
        async with Client(transport_opener(policy=None)(ANA, small())):
            pass


async def test_variables_are_those_that_were_handed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OURS", "leaked")
    config = small(env={"A": "${GIVEN}", "B": "${OURS:-none}"})
    open_one = transport_opener(policy=ProgramPolicy(folder=tmp_path), variables={"GIVEN": "yes"})
    async with Client(open_one(ANA, config)) as client:
        seen = json.loads(await called(client, "env"))
    assert (seen["A"], seen["B"]) == ("yes", "none")


async def test_its_home_is_its_own_and_stays(tmp_path: Path):
    open_one = opener(tmp_path)
    note = "/server-home/note.txt"

    async def tell(owner: Owner, tool: str, **changes: Any) -> str:
        async with Client(open_one(owner, small(**changes))) as client:
            return await called(client, tool, path=note, text="mine")

    await tell(ANA, "write")
    assert await tell(ANA, "read") == "mine"
    assert "No such file" in await tell(Owner("tenant", "ben"), "read")
    assert "No such file" in await tell(Owner("other", "ana"), "read")
    assert "No such file" in await tell(ANA, "read", name="another")


async def test_what_its_home_holds_from_earlier_starts_counts(tmp_path: Path):
    limits = replace(program_limits(), disk_growth_bytes=60 * MIB, watch_interval_s=0.05)
    open_one = opener(tmp_path, limits=limits)

    async def write() -> None:
        async with Client(open_one(ANA, small())) as client:
            await called(client, "write", path="/server-home/new", text="x" * 12 * MIB)
            await called(client, "sleep", seconds=30)

    async with Client(open_one(ANA, small())) as client:
        assert await called(client, "echo", text="x") == "x"
    (home,) = tmp_path.iterdir()
    with (home / "server-home" / "old").open("wb") as old:
        old.truncate(58 * MIB)
    with pytest.raises(MCPServerError, match="more to disk than it may"):
        await write()
    with pytest.raises(MCPServerError, match="its home is full"):
        await write()


async def test_what_rules_deny_to_read_is_covered_in_what_was_declared(tmp_path: Path):
    project = tmp_path / "project"
    for name in ("secrets/key", "conf/key", "a.txt"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("seen")
    rules = [Rule("read", path, "deny", "person") for path in ("/secrets/**", "/conf/key")]
    denied = DeniedFolder(project, find_denied(RuleSet(person=tuple(rules))))
    config = small(read_paths=[str(project / "secrets")], write_paths=[str(project)])
    async with Client(opener(tmp_path / "homes", denied=(denied,))(ANA, config)) as client:
        assert await called(client, "read", path=f"{project}/a.txt") == "seen"
        for name in ("secrets/key", "conf/key"):
            assert "Permission denied" in await called(client, "read", path=f"{project}/{name}")


async def test_it_sees_only_what_was_declared(tmp_path: Path):
    shown, changed = tmp_path / "shown", tmp_path / "changed"
    hidden = tmp_path / "hidden.txt"
    for folder in (shown, changed):
        folder.mkdir()
        (folder / "a.txt").write_text("seen")
    hidden.write_text("SECRET")
    config = small(read_paths=[str(shown)], write_paths=[str(changed)])
    async with Client(opener(tmp_path / "homes")(ANA, config)) as client:
        assert await called(client, "read", path=f"{shown}/a.txt") == "seen"
        assert "Read-only" in await called(client, "write", path=f"{shown}/a.txt", text="x")
        await called(client, "write", path=f"{changed}/b.txt", text="kept")
        for path in (
            hidden,
            Path("/etc/shadow"),
            Path("/root/.bashrc"),
            Path(__file__).parents[5] / "README.md",
        ):
            assert "Error" in await called(client, "read", path=str(path))
    assert (changed / "b.txt").read_text() == "kept"
