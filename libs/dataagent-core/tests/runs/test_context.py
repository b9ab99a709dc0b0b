"""What the parts of a run share: an answer reaches all of them, and no other graph has it."""

from types import SimpleNamespace
from typing import Any

import pytest

from dataagent_core.events import HITLRequestEvent
from dataagent_core.permissions import RunPermissions, RunQuestions
from dataagent_core.runs import RunContext, run_context
from dataagent_core.session import Run, RunRecorder
from dataagent_core.session.stores.memory import MemoryEventLog


@pytest.fixture
def context() -> RunContext:
    run = Run(run_id="r", session_id="s", message_id="r:m0")
    return RunContext(
        run=run,
        recorder=RunRecorder(MemoryEventLog(), run, lambda _: None),
        permissions=RunPermissions(questions=RunQuestions(session_id="s")),
    )


def request(**more: Any) -> HITLRequestEvent:
    given: dict[str, Any] = {"interrupt_id": "i", "kind": "approval", **more}
    return HITLRequestEvent(**given)


def test_an_answer_closes_its_request_and_the_call_counts_as_asked(context: RunContext):
    asked = request(action_requests=[{"name": "shell", "call_key": "m:1"}])
    context.questions.add(asked)
    assert context.questions.open_requests == {"i": asked}
    context.add_answer(asked, {"type": "approve"})
    assert not context.questions.open_requests
    assert context.questions.asked == {"m:1"}
    assert not context.permissions.session_rules


@pytest.mark.parametrize(("answer", "rules"), [("approve", 1), ("edit", 0), ("reject", 0)])
def test_only_an_always_approved_call_adds_rules(context: RunContext, answer: str, rules: int):
    saves = [{"tool": "shell", "resource": "ls"}]
    asked = request(action_requests=[{"name": "shell", "args": {}, "saves": saves}])
    context.add_answer(asked, {"type": answer, "scope": "always"})
    assert len(context.permissions.session_rules) == rules


@pytest.mark.parametrize(("run_id", "refused"), [(None, "full"), ("r", "full"), ("x", None)])
def test_a_budget_that_is_not_raised_ends_its_own_run_only(
    context: RunContext, run_id: str | None, refused: str | None
):
    asked = request(kind="budget", run_id=run_id, context="full")
    context.add_answer(asked, {"type": "reject"})
    assert context.progress.refused_budget == refused


def test_the_context_is_found_in_a_runtime_and_nothing_else_is_taken_for_it(context: RunContext):
    assert run_context(SimpleNamespace(context=context)) is context
    with pytest.raises(TypeError, match="AgentExecutor"):
        run_context(SimpleNamespace(context={}))
