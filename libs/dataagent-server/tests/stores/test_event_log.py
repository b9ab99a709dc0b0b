"""What the server's log does beyond core's suites: fences, odd keys, large texts, raw lines."""

import asyncio
import json

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.events import Event, TextEvent, ToolCallEvent, from_json
from dataagent_core.session import Intent, Outcome
from dataagent_server.common.errors import LeaseLostError
from dataagent_server.db.database import Database
from dataagent_server.db.open_database import open_database
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter
from tests.services.rows import Held, add_run, take_over

pytestmark = pytest.mark.every_database


def text(content: str) -> list[Event]:
    return [TextEvent(content=content)]


@pytest.fixture
def log(database: Database) -> ServerEventLog:
    return ServerEventLog(LogWriter(database), "t")


async def test_an_append_with_the_right_number_is_taken(database: Database):
    await add_run(database, "r1", fence=3)
    log = ServerEventLog(LogWriter(database), "t", Held(r1=3))
    assert [e.seq for e in await log.append("s", "r1", text("a"))] == [1]


async def test_an_append_of_a_run_that_was_taken_over_is_refused_and_writes_nothing(
    database: Database,
):
    await add_run(database, "r1")
    log = ServerEventLog(LogWriter(database), "t", Held(r1=1))
    await log.append("s", "r1", text("mine"))
    await take_over(database, "r1")
    with pytest.raises(LeaseLostError, match="r1"):
        await log.append(
            "s", "r1", text("late"), [Intent(call_key="k", tool_name="n", args_hash="h")]
        )
    assert await log.last_seq("s") == 1
    assert await log.journal("r1") == []
    (next_one,) = await ServerEventLog(LogWriter(database), "t", Held(r1=2)).append(
        "s", "r1", text("theirs")
    )
    assert next_one.seq == 2


async def test_a_run_nobody_knows_is_refused(database: Database):
    log = ServerEventLog(LogWriter(database), "t", Held(r1=1))
    with pytest.raises(LeaseLostError):
        await log.append("s", "r1", text("a"))


async def test_another_tenants_run_of_the_same_name_gives_no_right(database: Database):
    await add_run(database, "r1", tenant_id="other")
    log = ServerEventLog(LogWriter(database), "t", Held(r1=1))
    with pytest.raises(LeaseLostError):
        await log.append("s", "r1", text("a"))


async def test_one_lost_run_does_not_hold_up_those_written_with_it(database: Database):
    await add_run(database, "lost", fence=2)
    await add_run(database, "kept", fence=1)
    log = ServerEventLog(LogWriter(database), "t", Held(lost=1, kept=1))
    names = ["kept", "lost"] * 10
    results = await asyncio.gather(
        *(log.append("s", name, text(name)) for name in names), return_exceptions=True
    )
    assert [isinstance(r, LeaseLostError) for r in results] == [n == "lost" for n in names]
    stored = await log.read("s")
    assert [(e.seq, e.run_id) for e in stored] == [(n, "kept") for n in range(1, 11)]


async def test_an_append_that_cannot_be_stored_does_not_hold_up_those_written_with_it(
    log: ServerEventLog,
):
    results = await asyncio.gather(
        *(log.append(name, "r", text("a")) for name in ("s", "\ud800", "s", "s")),
        return_exceptions=True,
    )
    assert [isinstance(r, ValidationError) for r in results] == [False, True, False, False]
    assert await log.last_seq("s") == 3


async def test_a_caller_who_is_cancelled_leaves_a_whole_append_or_none(log: ServerEventLog):
    task = asyncio.create_task(log.append("s", "r", [*text("a"), *text("b")]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await log.append("s", "r", text("c"))
    assert [e.seq for e in await log.read("s")] in ([1], [1, 2, 3])


@pytest.mark.requirement("S2-13-agent_execution_events")
async def test_two_processes_number_one_session_without_gaps(database_url: str):
    first, second = await open_database(database_url), await open_database(database_url)
    try:
        logs = [ServerEventLog(LogWriter(database), "t") for database in (first, second)]
        await asyncio.gather(
            *(logs[n % 2].append("s", "r", text(str(n))) for n in range(40)),
        )
        read = await logs[0].read("s")
        assert [e.seq for e in read] == list(range(1, 41))
        assert len({e.content for e in read if isinstance(e, TextEvent)}) == 40
    finally:
        await first.aclose()
        await second.aclose()


@pytest.mark.parametrize(
    "key", ["x" * 10_000, "call\x00zero", "数据" * 400, "trailing ", "UPPER", "é"], ids=len
)
async def test_keys_a_model_made_up_are_kept_as_they_are(log: ServerEventLog, key: str):
    fact = ToolCallEvent(event_id=f"call:{key}", tool_name="t\x00ool")
    intent = Intent(call_key=key, tool_name="tool", args_hash="h")
    done = Outcome(call_key=key, tool_name="tool", payload=b"\x00\xff", receipt="\x00")
    for _ in range(2):
        await log.append("s", "r", [fact], [intent, done])
    (event,) = await log.read("s")
    (entry,) = await log.journal("r")
    assert event.event_id == f"call:{key}"
    assert (entry.call_key, entry.payload, entry.receipt) == (key, b"\x00\xff", "\x00")


async def test_ids_that_differ_only_in_case_accent_or_space_are_different(log: ServerEventLog):
    names = ["a", "A", "á", "a ", "\uff41"]
    for name in names:
        await log.append(name, "r", [TextEvent(content=name, event_id="one")])
        await log.append("all", "r", [TextEvent(content=name, event_id=name)])
    for name in names:
        (event,) = await log.read(name)
        assert isinstance(event, TextEvent)
        assert event.content == name
    assert await log.last_seq("all") == len(names)


async def test_a_text_of_ten_million_characters_is_kept(log: ServerEventLog):
    content = "数据👋\x00\ud800" + "x" * 10_000_000
    (stored,) = await log.append("s", "r", text(content))
    (read,) = await log.read("s")
    assert isinstance(read, TextEvent)
    assert read == stored
    assert read.content == content


async def test_lines_are_the_events_as_json(log: ServerEventLog):
    stored = await log.append(
        "s", "r", [*text("a"), ToolCallEvent(tool_args={"seq": 0}), *text("b")]
    )
    lines = await log.read_lines("s", after=1, limit=5)
    assert [(seq, from_json(line)) for seq, line in lines] == [(e.seq, e) for e in stored[1:]]
    assert all(json.loads(line)["seq"] == seq for seq, line in lines)


async def test_of_several_outcomes_in_one_append_the_first_holds(log: ServerEventLog):
    several = [
        Outcome(call_key=key, tool_name="tool", payload=str(n).encode(), receipt=str(n))
        for n, key in enumerate(("a", "b", "a", "b", "a"))
    ]
    await log.append("s", "r", [], several)
    assert [(e.call_key, e.payload) for e in await log.journal("r")] == [("a", b"0"), ("b", b"1")]


async def test_what_was_handed_in_is_written_before_the_end(database: Database):
    writer = LogWriter(database)
    log = ServerEventLog(writer, "t")
    tasks = [asyncio.create_task(log.append("s", "r", text(str(n)))) for n in range(20)]
    await asyncio.sleep(0)
    await writer.drain()
    assert await log.last_seq("s") == 20
    await asyncio.gather(*tasks)
