"""What becomes of the other calls of a turn when a person rejects one of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, resumed, scripted

from dataagent_core.engine.checkpoints.checkpoint_histories import CheckpointHistories
from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.errors import NoOneToAskError
from dataagent_core.events import HITLAnswerEvent, HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision, bound, plain
from dataagent_core.session.copies.histories import HistoryExtent
from dataagent_core.session.stores.bundle import Stores


def write(name: str) -> dict[str, Any]:
    return {"name": "write_file", "args": {"file_path": f"/{name}.txt", "content": name}}


def written(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.txt"))


class ByFile:
    """A person who decides by the file's name, whatever order they are asked in."""

    def __init__(self, decisions: Mapping[str, Decision | None]) -> None:
        self.decisions = decisions
        self.asked: list[str] = []

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        name = Path(action_request["args"]["file_path"]).stem
        self.asked.append(name)
        decision = self.decisions[name]
        if decision is None:
            raise NoOneToAskError(f"nobody says anything about {name} in {session_id}.")
        return decision

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Nothing is approved by rules here."""


@pytest.mark.requirement("S0-7")
async def test_calls_approved_before_the_reject_finish_and_then_the_run_ends_rejected(
    tmp_path: Path,
) -> None:
    person = Answering(
        {"type": "approve"}, {"type": "approve", "scope": "always"}, {"type": "reject"}
    )
    turn = {"tool_calls": [write(name) for name in ("a", "b", "c", "d")]}
    events = await events_of(executor(scripted(turn, {"text": "no"}), tmp_path, handler=person))
    assert written(tmp_path) == ["a", "b"]
    results = [e for e in events if e.event_type == "tool_result"]
    assert [e.status for e in results] == ["success", "success"]
    answers = [e for e in events if isinstance(e, HITLAnswerEvent)]
    assert [(e.decision.get("type"), e.superseded) for e in answers] == [
        ("approve", False),
        ("approve", False),
        ("reject", False),
        (None, True),
    ]
    assert (events[-1].event_type, events[-1].reason, events[-1].cancelled) == (
        "done",
        "rejected",
        True,
    )
    assert len(person.asked) == 3


async def test_the_next_message_knows_which_calls_of_the_rejected_turn_ran(tmp_path: Path) -> None:
    person = Answering({"type": "approve"}, {"type": "reject"})
    turn = {"tool_calls": [write("a"), write("b")]}
    model = scripted(
        scripts=[
            {"match": "go on", "steps": [{"text": "Both are known."}]},
            {"steps": [turn]},
        ]
    )
    agent = executor(model, tmp_path, handler=person)
    await events_of(agent)
    events = await events_of(agent, "go on")
    assert events[-1].reason == "completed"
    said = [m for m in model.requests[-1] if m.type == "tool"]
    assert len(said) == 2
    assert "did not complete" not in next(m.text for m in said if "a.txt" in m.text)
    assert sum("did not complete" in m.text for m in said) == 1


async def test_a_fork_of_a_rejected_turn_knows_which_calls_ran(tmp_path: Path) -> None:
    stores = Stores.in_memory()
    person = Answering({"type": "approve"}, {"type": "reject"})
    turn = {"tool_calls": [write("a"), write("b")]}
    agent = executor(scripted(turn), tmp_path, handler=person, stores=stores)
    events = await events_of(agent)
    histories = CheckpointHistories(stores.checkpoints)
    history = await histories.read(
        HistoryExtent(run_ids=(events[0].run_id,), before=frozenset(), todos=())
    )
    assert history is not None
    results = [m.text for m in history.messages if m.type == "tool"]
    assert len(results) == 1
    assert "a.txt" in results[0]


async def test_a_sub_agent_finishes_its_approved_call_and_goes_no_further(tmp_path: Path) -> None:
    def task(words: str) -> dict[str, Any]:
        args = {"description": words, "subagent_type": GENERAL_PURPOSE}
        return {"name": "task", "args": args}

    def steps(match: str, name: str) -> dict[str, Any]:
        again = {"tool_calls": [write(f"{name}2")]}
        return {"match": match, "steps": [{"tool_calls": [write(name)]}, again, {"text": "done"}]}

    scripts = [
        steps("FIRST", "a"),
        steps("SECOND", "b"),
        {"steps": [{"tool_calls": [task("FIRST"), task("SECOND")]}, {"text": "never"}]},
    ]
    model = scripted(scripts=scripts)
    # Both tasks, then the first file that is asked about.
    yes: Decision = {"type": "approve"}
    person = Answering(yes, yes, yes, {"type": "reject"})
    events = await events_of(executor(model, tmp_path, handler=person))
    assert events[-1].reason == "rejected"
    assert [f"/{name}.txt" for name in written(tmp_path)] == [person.asked[2]["args"]["file_path"]]
    assert len(person.asked) == 4
    assert len(model.requests) == 3


async def test_what_was_approved_elsewhere_runs_before_a_later_reject_ends_the_run(
    tmp_path: Path,
) -> None:
    """On a server the answers are in the log before the run is taken up again."""
    stores = Stores.in_memory()
    away = ByFile({"a": None, "b": None})
    turn = {"tool_calls": [write("a"), write("b")]}
    first = executor(scripted(turn), tmp_path, handler=away, stores=stores)
    asked = [e for e in await events_of(first) if isinstance(e, HITLRequestEvent)]
    about: list[Any] = [e.action_requests[0]["args"] for e in asked]
    assert [args["file_path"] for args in about] == ["/a.txt", "/b.txt"]
    person = ByFile({"b": {"type": "approve"}, "a": {"type": "reject"}})
    # The last of them was answered before the first.
    await _answer_in_log(stores, asked[1], {"type": "approve"})
    second = executor(scripted(turn), tmp_path, handler=person, stores=stores)
    events = await resumed(second)
    assert person.asked == ["a"]
    assert written(tmp_path) == ["b"]
    assert events[-1].reason == "rejected"


async def _answer_in_log(stores: Stores, request: HITLRequestEvent, decision: Decision) -> None:
    action: Any = request.action_requests[0]
    await stores.log.append(
        "s",
        request.run_id or "",
        [
            HITLAnswerEvent(
                interrupt_id=request.interrupt_id,
                kind="approval",
                decision=plain(bound(decision, action)),
                by="somebody",
                run_id=request.run_id,
            )
        ],
    )
