"""Asks a person a server's question (elicitation) in the middle of a call.

The wait is an interrupt: the run stops here, and makes this call again when the answer is in the
log. LangGraph returns answers in the order of the questions, and each is bound to its own
(`hitl/request_binding.py`), so the answer to another question is skipped.

A call that waits must not be taken for one that a crash interrupted. So the question's key is in
the log with the question; once the server gets its answer and the call continues, the same key is
in the journal. A key says whether the server holds the call open, or whether it refused the call
until the person has signed in (`tool.py`).
"""

from dataclasses import dataclass
from typing import Any

from langgraph.types import interrupt

from dataagent_core.config.limits import ANSWERS_PASSED_OVER_MAX
from dataagent_core.config.limits.mcp import MCP_QUESTION_TRIES_MAX
from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.hitl import ActionRequest, Decision, check_decision, is_bound_to
from dataagent_core.mcp.ports import ElicitationResult
from dataagent_core.mcp.tools.elicitation_request import ElicitationRequest, fill_form
from dataagent_core.runs import RunContext
from dataagent_core.session import Intent
from dataagent_core.tools.pipeline.agent_call import AgentCall, RunningCall

_HELD = "asks-held:"
_FREE = "asks:"
_AGAIN = "asks-again:"
_SIGNS_IN = "signs-in:"


@dataclass(frozen=True, slots=True)
class ElicitationAnswer:
    """The answer to the server, and a note for the agent."""

    elicited: ElicitationResult
    note: str = ""


async def ask_person(
    question: ElicitationRequest, number: int, running: RunningCall, *, held: bool
) -> ElicitationAnswer:
    """Return the answer to a call's question of this number; interrupts the run until then."""
    call = running.call
    key = question_key(call, number, held=held)
    action = question.action(call.name, call.call_id, key)
    answer = _read_answer(question, action, running.context)
    await note_answer(running, key)
    return answer


def question_key(call: AgentCall, number: int, *, held: bool) -> str:
    """Return the key of a call's question of this number."""
    return f"{_HELD if held else _FREE}{number}:{call.key}"


async def note_answer(running: RunningCall, key: str) -> None:
    """Record in the journal that the server gets its answer now, and the call continues."""
    await running.context.recorder.commit(journal=[_make_intent(running.call, key)])


async def note_again(running: RunningCall) -> None:
    """Record in the journal that a call is repeated, before it is made."""
    call = running.call
    await running.context.recorder.commit(journal=[_make_intent(call, _AGAIN + call.key)])


def may_be_made_again(call: AgentCall, context: RunContext) -> bool:
    """Return whether a call of an earlier attempt only asked, and no server holds it open."""
    if _AGAIN + call.key in context.journal.unknown or was_held(call, context):
        return False
    waits = [*_find_keys(_FREE, call, context), *_find_keys(_SIGNS_IN, call, context)]
    return any(key not in context.journal.unknown for key in waits)


def sign_in_key(call: AgentCall, number: int) -> str:
    """Return the key of a call's sign-in request of this number."""
    return f"{_SIGNS_IN}{number}:{call.key}"


async def note_after_sign_in(running: RunningCall) -> bool:
    """Record in the journal that a refused call is made now; return whether there was one."""
    call, context = running.call, running.context
    pending = [
        key for key in _find_keys(_SIGNS_IN, call, context) if key not in context.journal.unknown
    ]
    notes = [_make_intent(call, key) for key in pending]
    if notes:
        await context.recorder.commit(journal=notes)
    return bool(notes)


def _make_intent(call: AgentCall, key: str) -> Intent:
    return Intent(
        call_key=key,
        tool_name=call.name,
        args_hash=call.args_hash,
        step_number=call.step_number,
    )


def has_asked(call: AgentCall, context: RunContext) -> bool:
    """Return whether a call got so far that its server asked something."""
    return bool(_find_keys(_FREE, call, context)) or was_held(call, context)


def was_held(call: AgentCall, context: RunContext) -> bool:
    """Return whether a call asked something while its server held it open."""
    return bool(_find_keys(_HELD, call, context))


def _find_keys(start: str, call: AgentCall, context: RunContext) -> list[str]:
    end = f":{call.key}"
    return [
        key
        for key in context.questions.asked
        if key.startswith(start) and key.endswith(end) and key[len(start) : -len(end)].isdecimal()
    ]


def _read_answer(
    question: ElicitationRequest, action: ActionRequest, context: RunContext
) -> ElicitationAnswer:
    problem = ""
    for _ in range(MCP_QUESTION_TRIES_MAX):
        decision = _ask_for_decision(question, action, problem, context)
        match decision["type"]:
            case "skip":
                return ElicitationAnswer(ElicitationResult("decline"))
            case "respond":
                why = f"The person did not answer the server, and says: {decision.get('message')}"
                return ElicitationAnswer(ElicitationResult("cancel"), why)
            case _ if question.url:
                return ElicitationAnswer(ElicitationResult("accept"))
            case _:
                pass
        try:
            return ElicitationAnswer(
                ElicitationResult("accept", fill_form(question.schema, decision.get("answer")))
            )
        except ValidationError as wrong:
            problem = str(wrong)
    return ElicitationAnswer(
        ElicitationResult("cancel"), "No answer of the person fitted what the server asked for."
    )


def _ask_for_decision(
    question: ElicitationRequest, action: ActionRequest, problem: str, context: RunContext
) -> Decision:
    decision = decision_on("elicitation", question.request(action, problem), action, context)
    if decision is None:
        raise ToolExecutionError(
            f"{question.server!r} asked something else each time a person had answered."
        )
    return decision


def decision_on(
    kind: HumanRequestKind, request: dict[str, Any], action: ActionRequest, context: RunContext
) -> Decision | None:
    """Wait for the answer to this request; None if there were only answers to others."""
    for _ in range(ANSWERS_PASSED_OVER_MAX + 1):
        given = (context.questions.ask or interrupt)(request)
        try:
            decision = check_decision(kind, given)
        except ValidationError:
            # An answer to another kind of question that this call asked before a crash.
            continue
        if is_bound_to(decision, action):
            return decision
    return None
