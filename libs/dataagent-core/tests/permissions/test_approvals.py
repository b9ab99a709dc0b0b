"""An approval counts once, for one call with exactly its arguments; through whole runs."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, resumed, scripted, settings, types
from langchain_core.tools import tool

from dataagent_core.errors import StorageError
from dataagent_core.hitl import Decision, hash_of_args
from dataagent_core.session import Intent, Outcome
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.stores.memory import MemoryEventLog
from dataagent_core.tools.effects import effect_metadata

WRITE: dict[str, Any] = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "A"}}


class Dies(MemoryEventLog):
    """A log whose process is gone when it would write the last of some journal records."""

    def __init__(self, at: type, nth: int = 1) -> None:
        super().__init__()
        self.at: type | None = at
        self._left = nth

    async def append(self, session_id: str, run_id: str, events: Any, journal: Any = ()) -> Any:
        if self.at is not None and any(isinstance(record, self.at) for record in journal):
            self._left -= 1
            if self._left <= 0:
                raise StorageError("gone")
        return await super().append(session_id, run_id, events, journal)


async def test_the_request_carries_the_hash_the_receipt_has(tmp_path: Path):
    person = Answering()
    events = await events_of(
        executor(scripted({"tool_calls": [WRITE]}, {"text": "ok"}), tmp_path, handler=person)
    )
    (result,) = [e for e in events if e.event_type == "tool_result"]
    (answer,) = [e for e in events if e.event_type == "hitl_answer"]
    hashed = hash_of_args(WRITE["args"])
    assert person.asked[0].get("args_hash") == hashed
    assert result.receipt["args_hash"] == hashed
    assert answer.decision["bound_to"]["runs_hash"] == hashed


async def test_after_an_edit_the_hash_is_that_of_what_the_person_wrote(tmp_path: Path):
    args = {"file_path": "/b.txt", "content": "B"}
    person = Answering({"type": "edit", "args": args})
    events = await events_of(
        executor(scripted({"tool_calls": [WRITE]}, {"text": "ok"}), tmp_path, handler=person)
    )
    (result,) = [e for e in events if e.event_type == "tool_result"]
    (answer,) = [e for e in events if e.event_type == "hitl_answer"]
    assert answer.decision["bound_to"]["asked_hash"] == hash_of_args(WRITE["args"])
    assert answer.decision["bound_to"]["runs_hash"] == hash_of_args(args)
    assert result.receipt["args_hash"] == hash_of_args(args)


@pytest.mark.requirement("S2-C.2.2-once")
async def test_the_same_call_twice_is_asked_about_twice(tmp_path: Path):
    person = Answering()
    step = {"tool_calls": [WRITE]}
    await events_of(executor(scripted(step, step, {"text": "ok"}), tmp_path, handler=person))
    assert [action["args"] for action in person.asked] == [WRITE["args"]] * 2


async def test_two_equal_calls_at_once_need_two_answers(tmp_path: Path):
    person = Answering({"type": "approve"}, {"type": "respond", "message": "once is enough"})
    step = {"tool_calls": [WRITE, WRITE]}
    events = await events_of(executor(scripted(step, {"text": "ok"}), tmp_path, handler=person))
    assert len({action.get("call_key") for action in person.asked}) == 2
    assert sorted(e.status for e in events if e.event_type == "tool_result") == ["error", "success"]


async def test_after_a_crash_the_answer_is_used_for_the_call_it_was_for(tmp_path: Path):
    log = Dies(Intent)
    stores = replace(Stores.in_memory(), log=log)
    person = Answering()
    model = scripted({"tool_calls": [WRITE]}, {"tool_calls": [WRITE]}, {"text": "ok"})
    await events_of(executor(model, tmp_path, handler=person, stores=stores))
    log.at = None
    await resumed(executor(model, tmp_path, handler=person, stores=stores))
    # Once for each of the two calls, although the run came to the first one twice.
    assert len(person.asked) == 2


def changing(*contents: str) -> Callable[[Any], Any]:
    """Make a hook that puts another content into the call each time it sees it."""
    left = list(contents)

    def hook(call: Any) -> Any:
        content = left.pop(0) if len(left) > 1 else left[0]
        return replace(call, args={**call.args, "content": content})

    return hook


async def test_other_arguments_behind_the_answer_are_asked_about_again(tmp_path: Path):
    person = Answering()
    model = scripted({"tool_calls": [WRITE]}, {"text": "ok"})
    agent = executor(model, tmp_path, handler=person, pre_hooks=[changing("seen", "other")])
    await events_of(agent)
    assert [action["args"]["content"] for action in person.asked] == ["seen", "other"]
    assert (tmp_path / "a.txt").read_text() == "other"


async def test_what_a_hook_changed_is_not_said_to_be_a_persons_change(tmp_path: Path):
    model = scripted({"tool_calls": [WRITE]}, {"text": "ok"})
    events = await events_of(executor(model, tmp_path, pre_hooks=[changing("by the hook")]))
    (result,) = [e for e in events if e.event_type == "tool_result"]
    assert (tmp_path / "a.txt").read_text() == "by the hook"
    assert "A person changed" not in str(result.result)


async def test_arguments_that_never_stay_the_same_are_refused_in_the_end(tmp_path: Path):
    model = scripted({"tool_calls": [WRITE]}, {"text": "ok"})
    agent = executor(model, tmp_path, pre_hooks=[changing(*map(str, range(50)))])
    events = await events_of(agent)
    (result,) = [e for e in events if e.event_type == "tool_result"]
    assert "arguments were others each time" in str(result.result)
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.parametrize("content", ["A", "other"])
async def test_a_call_the_model_makes_anew_after_a_crash_is_asked_about_anew(
    tmp_path: Path, content: str
):
    """The log has the answer, but the checkpoint with the model's message is lost."""
    log = Dies(Intent)
    stores = replace(Stores.in_memory(), log=log)
    first, second = Answering(), Answering()
    model = scripted({"tool_calls": [WRITE]}, {"text": "ok"})
    await events_of(executor(model, tmp_path, handler=first, stores=stores))
    log.at = None
    forgetful = replace(stores, checkpoints=Stores.in_memory().checkpoints)
    again = {**WRITE, "args": {**WRITE["args"], "content": content}}
    model = scripted({"tool_calls": [again]}, {"text": "ok"})
    rest = await resumed(executor(model, tmp_path, handler=second, stores=forgetful))
    assert rest[-1].reason == "completed"
    assert [action["args"]["content"] for action in second.asked] == [content]


class GoesOn(Answering):
    """A person who lets a loop go on."""

    async def answer_question(self, request: Any, session_id: str) -> Decision:
        return {"type": "continue"}


class Acting:
    """An irreversible tool that asks, three times the same or once; its log dies at the end."""

    def __init__(self, home: Path, times: int) -> None:
        self.count = 0
        self._home = home
        self._workspace = home / "workspace"
        self._workspace.mkdir()
        (home / "permissions.toml").write_text('[[rules]]\naction = "ask"\ntool = "act"\n')
        self.log = Dies(Outcome, times)
        self._stores = replace(Stores.in_memory(), log=self.log)
        steps = [{"tool_calls": [{"name": "act", "args": {}}]}] * times
        self._model = scripted(*steps, {"text": "ok"})

    def agent(self, person: Answering) -> Any:
        @tool
        async def act() -> str:
            """Do it."""
            self.count += 1
            return "done"

        marked = act.model_copy(update={"metadata": effect_metadata("irreversible")})
        return executor(
            self._model,
            self._workspace,
            tools=[marked],
            stores=self._stores,
            handler=person,
            chosen=settings(home=self._home),
        )


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(
    ("answer", "again"), [({"type": "approve"}, 1), ({"type": "respond", "message": "it did"}, 0)]
)
async def test_a_yes_given_before_a_crash_does_not_make_a_call_happen_twice(
    tmp_path: Path, answer: Decision, again: int, times: int
):
    """The third time, the call has also met the question about the loop."""
    acting = Acting(tmp_path, times)
    assert types(await events_of(acting.agent(GoesOn())))[-1] == "error"
    assert acting.count == times
    acting.log.at = None
    person = GoesOn(answer)
    rest = await resumed(acting.agent(person))
    assert rest[-1].reason == "completed"
    assert [action.get("unknown_outcome") for action in person.asked] == [True]
    assert acting.count == times + again
