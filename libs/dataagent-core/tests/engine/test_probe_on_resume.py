"""A change of a file whose outcome a crash hid: the file itself says whether it happened."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, resumed, scripted, types

from dataagent_core.errors import StorageError
from dataagent_core.hitl import Decision
from dataagent_core.session import Intent, Outcome
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.stores.memory import MemoryEventLog

READ = {"name": "read_file", "args": {"file_path": "/a.txt"}}
EDIT = {
    "name": "edit_file",
    "args": {"file_path": "/a.txt", "old_string": "one", "new_string": "two"},
}
DELETE = {"name": "delete_file", "args": {"file_path": "/a.txt"}}


class Dies(MemoryEventLog):
    """Takes the intent of a tool's call and dies right after it, or before its outcome."""

    def __init__(self, tool: str, when: str) -> None:
        super().__init__()
        self._tool = tool
        self._when = when
        self.dying = True

    async def append(self, session_id: str, run_id: str, events: Any, journal: Any = ()) -> Any:
        ours = [record for record in journal if record.tool_name == self._tool]
        if self.dying and self._when == "before it" and any(isinstance(r, Intent) for r in ours):
            await super().append(session_id, run_id, events, journal)
            raise StorageError("gone")
        if self.dying and any(isinstance(r, Outcome) for r in ours):
            raise StorageError("gone")
        return await super().append(session_id, run_id, events, journal)


async def died(tmp_path: Path, call: dict[str, Any], when: str) -> tuple[Any, Stores]:
    (tmp_path / "a.txt").write_text("one\n")
    log = Dies(call["name"], when)
    stores = replace(Stores.in_memory(), log=log)
    model = scripted({"tool_calls": [READ]}, {"tool_calls": [call]}, {"text": "ok"})
    first = await events_of(executor(model, tmp_path, stores=stores, auto_approve=True))
    assert types(first)[-1] == "error"
    log.dying = False
    return model, stores


async def gone_on(
    tmp_path: Path, model: Any, stores: Stores, *answers: Decision
) -> tuple[list[Any], Answering]:
    person = Answering(*answers)
    again = executor(model, tmp_path, stores=stores, handler=person, auto_approve=True)
    return await resumed(again), person


@pytest.mark.parametrize("when", ["before it", "after it"])
async def test_an_edit_that_happened_or_did_not_is_made_exactly_once_and_nobody_is_asked(
    tmp_path: Path, when: str
) -> None:
    model, stores = await died(tmp_path, EDIT, when)
    rest, person = await gone_on(tmp_path, model, stores)
    assert rest[-1].reason == "completed"
    assert person.asked == []
    assert (tmp_path / "a.txt").read_text() == "two\n"


async def test_an_edit_of_a_file_that_is_something_else_by_now_is_put_to_a_person(
    tmp_path: Path,
) -> None:
    model, stores = await died(tmp_path, EDIT, "before it")
    (tmp_path / "a.txt").write_text("one, by a person\n")
    rest, person = await gone_on(tmp_path, model, stores, {"type": "reject", "message": "no"})
    [asked] = person.asked
    assert "is neither as it was before the call nor as the call would leave it" in asked.get(
        "reason", ""
    )
    assert asked.get("unknown_outcome")
    assert rest[-1].event_type == "done"
    assert (tmp_path / "a.txt").read_text() == "one, by a person\n"


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("before it", "'/a.txt' is exactly as it was before the call: it has not happened."),
        ("after it", "'/a.txt' is gone: it has happened."),
    ],
)
async def test_a_person_who_decides_about_a_delete_is_told_what_became_of_the_file(
    tmp_path: Path, when: str, said: str
) -> None:
    model, stores = await died(tmp_path, DELETE, when)
    answer: Decision = {"type": "respond", "message": "leave it"}
    rest, person = await gone_on(tmp_path, model, stores, answer)
    [asked] = person.asked
    assert said in asked.get("reason", "")
    assert rest[-1].reason == "completed"
    assert (tmp_path / "a.txt").exists() == (when == "before it")


@pytest.mark.parametrize("when", ["before it", "after it"])
@pytest.mark.parametrize(("command", "questions"), [("cat a.txt", 0), ("touch b.txt", 1)])
async def test_a_line_that_only_looked_is_run_again_and_nobody_is_asked(
    tmp_path: Path, when: str, command: str, questions: int
) -> None:
    # It runs before its intent is written down, and as a call that reads.
    model, stores = await died(tmp_path, {"name": "shell", "args": {"command": command}}, when)
    rest, person = await gone_on(tmp_path, model, stores, {"type": "approve"})
    assert rest[-1].reason == "completed"
    assert len(person.asked) == questions
