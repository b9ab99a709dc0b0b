"""Puts a server's question to a person, in the middle of a call.

The wait is an interrupt: the run is put away here, and begins this call again when the answer is
in the log. LangGraph hands answers out in the order of the questions, and each is bound to its own
(`hitl/request_binding.py`), so that the answer to another question is passed over.

What is written where, so that a call that waits is not taken for one that a crash cut off: the
question's key is in the log with the question; once an answer is given to the server, and the call
goes on, the same key is in the journal. A key says whether the server itself holds the call, or
whether it was refused until the person has signed in (`tool.py`).
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
    """What the server is told, and what the agent should know of it."""

    elicited: ElicitationResult
    note: str = ""


async def ask_person(
    question: ElicitationRequest, number: int, running: RunningCall, *, held: bool
) -> ElicitationAnswer:
    """Return the answer to a call's question of this number, or put the run away until then."""
    call = running.call
    key = question_key(call, number, held=held)
    action = question.action(call.name, call.call_id, key)
    said = _said(question, action, running.context)
    await note_answer(running, key)
    return said


def question_key(call: AgentCall, number: int, *, held: bool) -> str:
    """Name what a call asks for in its question of this number."""
    return f"{_HELD if held else _FREE}{number}:{call.key}"


async def note_answer(running: RunningCall, key: str) -> None:
    """Write down that the server gets its answer now, and the call goes on."""
    await running.context.recorder.commit(journal=[_note(running.call, key)])


async def note_again(running: RunningCall) -> None:
    """Write down that a call is made anew, before it is: should that be cut off, nobody knows."""
    call = running.call
    await running.context.recorder.commit(journal=[_note(call, _AGAIN + call.key)])


def may_be_made_again(call: AgentCall, context: RunContext) -> bool:
    """Say whether a call of an earlier attempt only asked, and no server holds it open."""
    if _AGAIN + call.key in context.journal.unknown or was_held(call, context):
        return False
    waits = [*_keys(_FREE, call, context), *_keys(_SIGNS_IN, call, context)]
    return any(key not in context.journal.unknown for key in waits)


def sign_in_key(call: AgentCall, number: int) -> str:
    """Name a call's question of this number whether its person has signed in."""
    return f"{_SIGNS_IN}{number}:{call.key}"


async def note_after_sign_in(running: RunningCall) -> bool:
    """Write down that a call that was refused is made now; say whether there was such a one."""
    call, context = running.call, running.context
    asked = [key for key in _keys(_SIGNS_IN, call, context) if key not in context.journal.unknown]
    notes = [_note(call, key) for key in asked]
    if notes:
        await context.recorder.commit(journal=notes)
    return bool(notes)


def _note(call: AgentCall, key: str) -> Intent:
    return Intent(
        call_key=key,
        tool_name=call.name,
        args_hash=call.args_hash,
        step_number=call.step_number,
    )


def has_asked(call: AgentCall, context: RunContext) -> bool:
    """Say whether a call got so far that its server asked something."""
    return bool(_keys(_FREE, call, context)) or was_held(call, context)


def was_held(call: AgentCall, context: RunContext) -> bool:
    """Say whether a call asked something while its server held it open."""
    return bool(_keys(_HELD, call, context))


def _keys(start: str, call: AgentCall, context: RunContext) -> list[str]:
    end = f":{call.key}"
    return [
        key
        for key in context.questions.asked
        if key.startswith(start) and key.endswith(end) and key[len(start) : -len(end)].isdecimal()
    ]


def _said(
    question: ElicitationRequest, action: ActionRequest, context: RunContext
) -> ElicitationAnswer:
    problem = ""
    for _ in range(MCP_QUESTION_TRIES_MAX):
        decision = _decision(question, action, problem, context)
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


def _decision(
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
    """Wait for the answer to this very request; None when there were only others."""
    for _ in range(ANSWERS_PASSED_OVER_MAX + 1):
        given = (context.questions.ask or interrupt)(request)
        try:
            decision = check_decision(kind, given)
        except ValidationError:
            # An answer to another kind of question, which this call met before a crash.
            continue
        if is_bound_to(decision, action):
            return decision
    return None
