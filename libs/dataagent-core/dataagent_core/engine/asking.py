"""Puts a segment's open questions to a person, and writes question and answer into the log."""

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.types import Interrupt

from dataagent_core.events import HITLAnswerEvent, HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision, check_decision, plain
from dataagent_core.permissions import RunScope

Answers = dict[str, Any]


class Rejected:
    """The person ended the run."""


async def answers_for(
    interrupts: Sequence[Interrupt], scope: RunScope, known: Mapping[str, Any]
) -> Answers | Rejected:
    """Ask about every interrupt that has no answer yet; a rejection closes the others."""
    requests = [request_event(found, scope.run.run_id) for found in interrupts]
    # All at once, so that a client can show them side by side.
    await scope.recorder.commit(*requests)
    for request in requests:
        scope.remember_asked(request.action_requests)
    answers: Answers = {}
    for position, request in enumerate(requests):
        if request.interrupt_id in known:
            answers[request.interrupt_id] = known[request.interrupt_id]
            continue
        decision, by = await _decision(request, scope)
        await scope.recorder.commit(_answer_event(request, decision, by, scope.run.run_id))
        if decision["type"] == "reject":
            await _supersede(requests[position + 1 :], scope)
            return Rejected()
        if decision.get("scope") == "always":
            scope.always_approved.update(str(a["name"]) for a in request.action_requests)
        answers[request.interrupt_id] = plain(decision)
    return answers


def request_event(found: Interrupt, run_id: str) -> HITLRequestEvent:
    """Write an interrupt as the event that announces it, once however often it is seen."""
    return HITLRequestEvent(
        event_id=f"ask:{run_id}:{found.id}", interrupt_id=found.id, **found.value
    )


async def _decision(request: HITLRequestEvent, scope: RunScope) -> tuple[Decision, str]:
    if scope.hitl_handler is None:
        # A library user who gave no handler wants no questions (S0 property 8).
        return {"type": "approve"}, "no handler"
    action: ActionRequest = request.action_requests[0]  # type: ignore[assignment]
    raw = await scope.hitl_handler.request_approval(action, scope.run.session_id)
    return check_decision(request.kind, raw), "handler"


async def _supersede(requests: Sequence[HITLRequestEvent], scope: RunScope) -> None:
    await scope.recorder.commit(
        *(
            HITLAnswerEvent(
                event_id=f"answer:{scope.run.run_id}:{request.interrupt_id}",
                interrupt_id=request.interrupt_id,
                kind=request.kind,
                superseded=True,
            )
            for request in requests
        )
    )


def _answer_event(
    request: HITLRequestEvent, decision: Decision, by: str, run_id: str
) -> HITLAnswerEvent:
    return HITLAnswerEvent(
        event_id=f"answer:{run_id}:{request.interrupt_id}",
        interrupt_id=request.interrupt_id,
        kind=request.kind,
        decision=plain(decision),
        by=by,
    )
