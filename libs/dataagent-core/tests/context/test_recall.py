"""`recall`: any earlier event of this session in full, and of no other."""

from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted
from long_sessions import agent, measuring

from dataagent_core.context.recall_tool import event_text
from dataagent_core.events import ToolCallEvent, ToolResultEvent, WarningEvent
from dataagent_core.session.stores.bundle import Stores


def asking(*calls: dict[str, Any]) -> Any:
    return scripted(
        scripts=[
            {
                "match": "again",
                "steps": [
                    *({"tool_calls": [{"name": "recall", "args": args}]} for args in calls),
                    {"text": "ok"},
                ],
            },
            {"steps": [{"text": "The first answer."}]},
        ]
    )


async def recalled(
    folder: Path, *calls: dict[str, Any], said: str = "Hello, it is me."
) -> list[str]:
    executor_ = executor(asking(*calls), folder)
    await events_of(executor_, said)
    events = await events_of(executor_, "again")
    assert events[-1].reason == "completed"
    return [str(event.result) for event in events if event.event_type == "tool_result"]


@pytest.mark.requirement("F7-3")
async def test_what_a_person_said_can_be_read_again_in_full(tmp_path: Path) -> None:
    (told,) = await recalled(tmp_path, {"seq": 1})
    assert told.startswith("Event 1, start, ")
    assert told.endswith("The person said:\nHello, it is me.")


async def test_what_was_answered_can_be_read_again(tmp_path: Path) -> None:
    told = await recalled(tmp_path, {"seq": 2}, {"seq": 3})
    assert any(text.endswith("The first answer.") for text in told)


@pytest.mark.parametrize("seq", [0, -1, 10_000])
async def test_an_event_that_is_not_there_is_said_to_be_missing(tmp_path: Path, seq: int) -> None:
    (told,) = await recalled(tmp_path, {"seq": seq})
    assert told.startswith(f"There is no event {seq}. This conversation has the events 1 to ")


async def test_a_long_event_comes_in_parts(tmp_path: Path) -> None:
    said = "".join(f"{n:06} " for n in range(3_000))
    calls = [{"seq": 1, "part": part} for part in (1, 2, 3)]
    told = await recalled(tmp_path, *calls, said=said)
    assert "recall(1, part=2) goes on" in told[0]
    parts = [text.partition("\n(Part")[0] for text in told[:2]]
    assert "".join(parts).endswith(said)
    assert told[2] == "Event 1 has 2 parts; there is no part 3."


@pytest.mark.requirement("F7-3")
async def test_another_session_cannot_be_read(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    executor_ = executor(asking({"seq": 1}, {"seq": 2}), tmp_path, stores=stores)
    await events_of(executor_, "My secret is 4711.", session="hers")
    events = await events_of(executor_, "again", session="his")
    told = [str(event.result) for event in events if event.event_type == "tool_result"]
    assert told[0].endswith("The person said:\nagain")
    assert all("4711" not in text for text in told)


async def test_a_part_fits_a_small_window(tmp_path: Path) -> None:
    steps = [{"tool_calls": [{"name": "recall", "args": {"seq": 1}}]}, {"text": "ok"}]
    events = await events_of(agent(measuring(*steps), tmp_path, 20_000), "word " * 4_000)
    told = next(str(e.result) for e in events if e.event_type == "tool_result")
    assert 1_900 < len(told) < 2_200


async def test_a_reference_can_be_followed(tmp_path: Path) -> None:
    look = {"tool_calls": [{"name": "rows", "args": {"count": 800}}]}
    stores = Stores.in_memory()
    model = measuring(look, {"text": "ok"})
    executor_ = agent(model, tmp_path, 64_000, stores=stores)
    for n in range(16):
        await events_of(executor_, f"Question {n}.")
    line = next(str(m.text) for m in model.answered[-1] if "left out" in str(m.text))
    seq = int(line.partition("recall(")[2].partition(")")[0])
    (event,) = await stores.log.read("s", after=seq - 1, limit=1)
    assert isinstance(event, ToolResultEvent)
    assert str(event.result).startswith("row 0 of 800")


@pytest.mark.requirement("F7-3")
async def test_the_longest_result_a_model_is_given_can_be_read_again_to_its_end(
    tmp_path: Path,
) -> None:
    look = {"tool_calls": [{"name": "rows", "args": {"count": 20_000}}]}
    stores = Stores.in_memory()
    model = measuring(look, {"text": "ok"})
    await events_of(agent(model, tmp_path, 1_000_000, stores=stores))
    given = next(str(m.text) for m in model.answered[-1] if m.type == "tool")
    assert len(given) > 50_000
    (event,) = await stores.log.read("s", types=("tool_result",))
    assert event_text(event, None).endswith(given)


def test_every_kind_of_event_can_be_written_out() -> None:
    call = ToolCallEvent(tool_name="shell", tool_args={"command": "ls"}, seq=4, timestamp=0.0)
    assert event_text(call, None) == (
        'Event 4, tool_call, 1970-01-01 00:00:00 UTC:\nshell({"command": "ls"})'
    )
    warning = WarningEvent(code="X", message="m", seq=5, timestamp=0.0)
    assert event_text(warning, None).endswith('{"code": "X", "message": "m"}')
