"""Puts a segment's open questions to a person, and writes question and answer into the log.

How an answer survives a crash: `hitl_request` and `hitl_answer` are in the log before the graph
hears of them (here); a resumed run reads them back (`recovery.py`); and a call that was once
asked about stops at the gate again (`permissions/gate.py`), where that answer is waiting.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, cast

from langgraph.types import Interrupt

from dataagent_core.config.limits import ANSWER_TRIES_MAX
from dataagent_core.errors import ApprovalTimeoutError, NoOneToAskError, ValidationError
from dataagent_core.events import HITLAnswerEvent, HITLRequestEvent, WarningEvent, from_dict
from dataagent_core.hitl import (
    ActionRequest,
    Decision,
    approve_unless_repeated,
    bound,
    check_decision,
    default_answer,
    plain,
    timeout_answer,
)
from dataagent_core.hitl.answer_envelope import BY_TIMEOUT, find_answerer, make_answer_envelope
from dataagent_core.permissions import save_if_wanted
from dataagent_core.runs import RunContext
from dataagent_core.usage.budget_request import ROOM_AGAIN, read_requested_amount

Answers = dict[str, Any]


async def ask_person(
    interrupts: Sequence[Interrupt], context: RunContext, known: Mapping[str, Any]
) -> Answers:
    """Ask about every interrupt that has no answer yet; one that ends the run is the last.

    What is known already comes first: it was said before whatever is said now.
    """
    requests = [request_event(found, context.run.run_id) for found in interrupts]
    # Remembered first: whatever stops the run while they are written still closes them.
    for request in requests:
        context.questions.add(request)
    # All at once, so that a client can show them side by side.
    await context.recorder.commit(*requests)
    answers: Answers = {}
    for request in requests:
        if request.interrupt_id in known:
            answers[request.interrupt_id] = known[request.interrupt_id]
            context.add_answer(request, known[request.interrupt_id])
    for request in requests:
        if request.interrupt_id in answers:
            continue
        decision, by = await _decision_in_time(request, context)
        answer = plain(decision)
        await context.recorder.commit(_answer_event(request, context.run.run_id, answer, by))
        context.add_answer(request, answer)
        answers[request.interrupt_id] = make_answer_envelope(answer, by)
        if ends_the_run(answers):
            break
    return answers


def ends_the_run(answers: Answers) -> bool:
    """Say whether one of these answers ends the run."""
    return any(_ends_run(answer) for answer in answers.values())


def without_run_ends(answers: Answers) -> Answers:
    """Leave out the answers that end the run: the calls of the others still get theirs."""
    return {key: answer for key, answer in answers.items() if not _ends_run(answer)}


def has_timed_out(answers: Answers) -> bool:
    """Say whether the run ends because nobody answered in time."""
    return any(_ends_run(one) and find_answerer(one) == BY_TIMEOUT for one in answers.values())


def _ends_run(answer: Mapping[str, Any]) -> bool:
    return answer.get("type") in {"reject", "stop"}


def close_open_requests(context: RunContext) -> list[HITLAnswerEvent]:
    """Close what is still open when a run ends, so that nobody is asked about it any more."""
    return [
        _answer_event(request, context.run.run_id, {}, None, superseded=True)
        for request in context.questions.open_requests.values()
    ]


def request_event(found: Interrupt, run_id: str) -> HITLRequestEvent:
    """Write an interrupt as the event that announces it, once however often it is seen.

    A tool of somebody else may interrupt with anything; what is not a request of ours is put as a
    plain question.
    """
    identity = {
        "event_type": "hitl_request",
        "event_id": f"ask:{run_id}:{found.id}",
        "interrupt_id": found.id,
    }
    try:
        return cast("HITLRequestEvent", from_dict({**found.value, **identity}))
    except (TypeError, ValidationError):
        question = {"kind": "clarification", "question": str(found.value)}
        return cast("HITLRequestEvent", from_dict({**question, **identity}))


async def _decision_in_time(request: HITLRequestEvent, context: RunContext) -> tuple[Decision, str]:
    """Get the decision; a handler may say that nobody gave one in time (S0 29)."""
    try:
        return await _decision(request, context)
    except ApprovalTimeoutError:
        decision = timeout_answer(request)
        if decision is None:
            raise NoOneToAskError(f"nobody answered this {request.kind} in time.") from None
        return decision, BY_TIMEOUT


async def _decision(request: HITLRequestEvent, context: RunContext) -> tuple[Decision, str]:
    if request.kind in {"clarification", "decision"}:
        return await _answer(request, context)
    if request.kind == "doom_loop":
        return await _loop_answer(request, context)
    if request.kind == "budget":
        return await _budget_answer(request, context)
    if request.kind in {"elicitation", "oauth"}:
        asked = cast("ActionRequest", request.action_requests[0])
        decision, by = await _answer(request, context)
        return bound(decision, asked), by
    if request.kind != "approval":
        raise NoOneToAskError(f"this {request.kind} can only be answered by a person.")
    action = cast("ActionRequest", request.action_requests[0])
    if context.questions.hitl_handler is None:
        # A library user who gave no handler wants no questions (S0 property 8).
        return bound(approve_unless_repeated(action), action), "no handler"
    for _ in range(ANSWER_TRIES_MAX):
        raw = await context.questions.hitl_handler.request_approval(action, context.run.session_id)
        try:
            decision = check_decision(request.kind, raw)
            # Before the answer is written: what the log says was saved has been.
            await asyncio.to_thread(save_if_wanted, decision, action, context.questions.rule_saver)
            return bound(decision, action), "handler"
        except ValidationError as error:
            # A slip of whoever answers must not cost the work: say what was wrong, ask again.
            await context.recorder.commit(WarningEvent(code=error.code, message=str(error)))
    raise ValidationError(
        f"{ANSWER_TRIES_MAX} answers in a row did not fit the question about {action['name']}."
    )


async def _loop_answer(request: HITLRequestEvent, context: RunContext) -> tuple[Decision, str]:
    ask = getattr(context.questions.hitl_handler, "answer_question", None)
    if ask is None:
        # Nobody can say what to do: the call is left out, and the model is told why.
        return {"type": "skip"}, "no handler"
    raw = await ask(request, context.run.session_id)
    return check_decision(request.kind, raw), "handler"


async def _budget_answer(request: HITLRequestEvent, context: RunContext) -> tuple[Decision, str]:
    if await context.account.refusal(read_requested_amount(request.action_requests)) is None:
        # The limit was raised, or another day began, while the run waited.
        return {"type": "approve", "answer": ROOM_AGAIN}, "budget"
    if context.questions.hitl_handler is None:
        # A library user who gave no handler wants no questions, and a limit that holds.
        return {"type": "reject", "message": "nobody is there to raise it"}, "no handler"
    ask = getattr(context.questions.hitl_handler, "answer_question", None)
    if ask is None:
        raise NoOneToAskError("a budget can only be raised by a person who may.")
    raw = await ask(request, context.run.session_id)
    return check_decision(request.kind, raw), "handler"


async def _answer(request: HITLRequestEvent, context: RunContext) -> tuple[Decision, str]:
    ask = getattr(context.questions.hitl_handler, "answer_question", None)
    if ask is not None:
        raw = await ask(request, context.run.session_id)
        return check_decision(request.kind, raw), "handler"
    if request.kind == "oauth":
        # Nobody can sign in: the call is left out, and the model is told why.
        return {"type": "skip"}, "no handler"
    default = default_answer(request)
    if default is None:
        raise NoOneToAskError(f"this {request.kind} can only be answered by a person.")
    return default, "recommended"


def _answer_event(
    request: HITLRequestEvent,
    run_id: str,
    decision: dict[str, Any],
    by: str | None,
    *,
    superseded: bool = False,
) -> HITLAnswerEvent:
    return HITLAnswerEvent(
        event_id=f"answer:{run_id}:{request.interrupt_id}",
        interrupt_id=request.interrupt_id,
        kind=request.kind,
        decision=decision,
        by=by,
        superseded=superseded,
    )
