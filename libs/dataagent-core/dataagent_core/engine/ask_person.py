"""Asks a person for the decisions a segment waits for, and logs requests and answers.

An answer survives a crash: `hitl_request` and `hitl_answer` are in the log before the graph gets
them (here); a resumed run reads them back (`checkpoints/recovery.py`); and the call that was asked
about stops at the gate again (`permissions/gate.py`), which finds that answer.
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
from dataagent_core.hitl.answer_envelope import (
    BY_NOBODY,
    BY_TIMEOUT,
    find_answerer,
    make_answer_envelope,
)
from dataagent_core.permissions import save_if_wanted
from dataagent_core.runs import RunContext
from dataagent_core.usage.budget_request import ROOM_AGAIN, read_requested_amount

Answers = dict[str, Any]


async def ask_person(
    interrupts: Sequence[Interrupt], context: RunContext, known: Mapping[str, Any]
) -> Answers:
    """Ask about every interrupt that has no answer yet, until an answer ends the run.

    Known answers are added first, because they were given earlier.
    """
    requests = [request_event(found, context.run.run_id) for found in interrupts]
    # Added first, so that they are closed even if the run is stopped while they are written.
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
        decision, by = await _decide_or_time_out(request, context)
        answer = plain(decision)
        await context.recorder.commit(_answer_event(request, context.run.run_id, answer, by))
        context.add_answer(request, answer)
        answers[request.interrupt_id] = make_answer_envelope(answer, by)
        if ends_the_run(answers):
            break
    return answers


def ends_the_run(answers: Answers) -> bool:
    """Return whether one of these answers ends the run."""
    return any(_ends_run(answer) for answer in answers.values())


def without_run_ends(answers: Answers) -> Answers:
    """Remove the answers that end the run; the other calls still get theirs."""
    return {key: answer for key, answer in answers.items() if not _ends_run(answer)}


def has_timed_out(answers: Answers) -> bool:
    """Return whether the run ends because a request timed out."""
    return any(_ends_run(one) and find_answerer(one) == BY_TIMEOUT for one in answers.values())


def _ends_run(answer: Mapping[str, Any]) -> bool:
    return answer.get("type") in {"reject", "stop"}


def close_open_requests(context: RunContext) -> list[HITLAnswerEvent]:
    """Make the events that close the open requests of a run that ends."""
    return [
        _answer_event(request, context.run.run_id, {}, None, superseded=True)
        for request in context.questions.open_requests.values()
    ]


def request_event(found: Interrupt, run_id: str) -> HITLRequestEvent:
    """Convert an interrupt to its event; its id makes writing it twice harmless.

    A foreign tool may interrupt with any value; what is no request of ours becomes a clarification.
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


async def _decide_or_time_out(
    request: HITLRequestEvent, context: RunContext
) -> tuple[Decision, str]:
    """Get the decision; when the handler reports a timeout, the kind's default counts (S0 29)."""
    try:
        return await _decide(request, context)
    except ApprovalTimeoutError:
        decision = timeout_answer(request)
        if decision is None:
            raise NoOneToAskError(f"nobody answered this {request.kind} in time.") from None
        return decision, BY_TIMEOUT


async def _decide(request: HITLRequestEvent, context: RunContext) -> tuple[Decision, str]:
    if request.kind in {"clarification", "decision"}:
        return await _answer_question(request, context)
    if request.kind == "doom_loop":
        return await _answer_loop_warning(request, context)
    if request.kind == "budget":
        return await _answer_budget_request(request, context)
    if request.kind in {"elicitation", "oauth"}:
        action_request = cast("ActionRequest", request.action_requests[0])
        decision, by = await _answer_question(request, context)
        return bound(decision, action_request), by
    if request.kind != "approval":
        raise NoOneToAskError(f"this {request.kind} can only be answered by a person.")
    action = cast("ActionRequest", request.action_requests[0])
    if context.questions.hitl_handler is None:
        # Without a handler no approval is asked for (S0 property 8).
        return bound(approve_unless_repeated(action), action), BY_NOBODY
    for _ in range(ANSWER_TRIES_MAX):
        raw = await context.questions.hitl_handler.request_approval(action, context.run.session_id)
        try:
            decision = check_decision(request.kind, raw)
            # Before the answer is written, so that the log never claims a rule that is not saved.
            await asyncio.to_thread(save_if_wanted, decision, action, context.questions.rule_saver)
            return bound(decision, action), "handler"
        except ValidationError as error:
            # A wrong answer must not cost the work: report it and ask again.
            await context.recorder.commit(WarningEvent(code=error.code, message=str(error)))
    raise ValidationError(
        f"{ANSWER_TRIES_MAX} answers in a row did not fit the question about {action['name']}."
    )


async def _answer_loop_warning(
    request: HITLRequestEvent, context: RunContext
) -> tuple[Decision, str]:
    ask = getattr(context.questions.hitl_handler, "answer_question", None)
    if ask is None:
        # Nobody can decide: the call is skipped, and the model is told why.
        return {"type": "skip"}, BY_NOBODY
    raw = await ask(request, context.run.session_id)
    return check_decision(request.kind, raw), "handler"


async def _answer_budget_request(
    request: HITLRequestEvent, context: RunContext
) -> tuple[Decision, str]:
    if await context.account.refusal(read_requested_amount(request.action_requests)) is None:
        # The limit was raised, or another day began, while the run waited.
        return {"type": "approve", "answer": ROOM_AGAIN}, "budget"
    if context.questions.hitl_handler is None:
        # Without a handler the limit holds.
        return {"type": "reject", "message": "nobody is there to raise it"}, BY_NOBODY
    ask = getattr(context.questions.hitl_handler, "answer_question", None)
    if ask is None:
        raise NoOneToAskError("a budget can only be raised by a person who may.")
    raw = await ask(request, context.run.session_id)
    return check_decision(request.kind, raw), "handler"


async def _answer_question(request: HITLRequestEvent, context: RunContext) -> tuple[Decision, str]:
    ask = getattr(context.questions.hitl_handler, "answer_question", None)
    if ask is not None:
        raw = await ask(request, context.run.session_id)
        return check_decision(request.kind, raw), "handler"
    if request.kind == "oauth":
        # Nobody can sign in: the call is skipped, and the model is told why.
        return {"type": "skip"}, BY_NOBODY
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
        subagent_id=request.subagent_id,
    )
