"""Stops a call until a person has decided.

The stop is a LangGraph interrupt: the segment ends here, costs nothing while it waits, and on
resume the same line returns the decision. So nothing before it may have an effect, and a call that
stopped here once stops again on resume, where its answer is waiting: what a person said about this
call counts, whatever the rules would ask by now; only what they deny stays denied.

An answer counts for this call with these arguments (`hitl/request_binding.py`) and for no other.
One that is about something else is passed over, and the person is asked again.
"""

import logging
import time
from typing import Any

from dataagent_core.config.limits import ANSWERS_PASSED_OVER_MAX
from dataagent_core.errors import DeniedError, ValidationError
from dataagent_core.events.hitl import HumanRequestKind
from dataagent_core.hitl import (
    ActionRequest,
    Decision,
    check_decision,
    hash_of_args,
    is_bound_to,
    was_for_another_version,
)
from dataagent_core.permissions.policy import Judgement, Policy, judge
from dataagent_core.permissions.run_permissions import RunPermissions

logger = logging.getLogger(__name__)


async def approval_for(
    action: ActionRequest,
    effect: str,
    policy: Policy,
    scope: RunPermissions,
    because: str | None = None,
    *,
    always: bool = False,
) -> Decision:
    """Return the decision about a call, waiting for a person if rules or taint say so.

    `because` is why this one call needs a person, whatever the rules allow; an "always" does not
    cover the next call. With `always` no approval given beforehand covers it either.
    """
    judged = judge(action, effect, policy, scope)
    if because and judged.action != "deny" and (always or not policy.auto_approve):
        judged = Judgement(action="ask", reason=because)
    if judged.action == "ask" or action.get("call_key", "") in scope.questions.asked:
        saves = [{"tool": rule.tool, "resource": rule.resource} for rule in judged.saves]
        asked: ActionRequest = {**action, "saves": saves}
        if always:
            asked["always_asked"] = True
        decision = ask_approval(asked, judged.reason, scope, denied=judged.action == "deny")
        _refuse_if_denied(action, decision, effect, policy, scope)
        return decision
    if judged.action == "deny":
        raise _make_denied_error(action, judged)
    if judged.would_ask:
        await _notify_handler(action, scope)
    return {"type": "approve"}


def repeat_approval(
    action: ActionRequest, what_is_known: str, effect: str, policy: Policy, scope: RunPermissions
) -> Decision:
    """Ask whether a call that may have happened already should be made (again).

    Its `times_begun` says how often; a yes covers one more time.
    """
    decision = ask_approval({**action, "unknown_outcome": True}, what_is_known, scope)
    _refuse_if_denied(action, decision, effect, policy, scope)
    return decision


def loop_decision(
    action: ActionRequest, scope: RunPermissions, subagent_id: str | None = None
) -> Decision | None:
    """Stop the third equal call of one agent in a row; `None` means that there is no loop."""
    key = f"loop:{action.get('call_key', '')}"
    name, args = action["name"], action["args"]
    detector = scope.find_doom_loop(subagent_id)
    looping = detector.should_intervene(key, name, args, time.monotonic())
    if not looping and key not in scope.questions.asked:
        detector.note(key, name, args, time.monotonic())
        return None
    reason = f"{name} was called with the same arguments again and again."
    decision = _ask("doom_loop", {**action, "call_key": key}, reason, scope)
    if decision["type"] == "continue":
        detector.forget(name, args)
    return decision


def program_approval(action: ActionRequest, scope: RunPermissions) -> Decision:
    """Ask whether a program may be started; no rule and no mode answers this."""
    reason = "A program of an MCP server starts on this machine for the first time."
    return ask_approval(action, reason, scope)


def ask_approval(
    action: ActionRequest, reason: str, scope: RunPermissions, *, denied: bool = False
) -> Decision:
    """Return what a person says about this very action, whatever rules and modes allow.

    `denied`: rules deny it by now; an answer about anything else is not asked for again.
    """
    action = {**action, "args_hash": hash_of_args(action["args"])}
    for _ in range(ANSWERS_PASSED_OVER_MAX + 1):
        try:
            decision = _ask("approval", action, reason, scope)
        except ValidationError:
            # An answer to another kind of question, which this call met before a crash.
            continue
        # A call that is denied by now is not asked about again.
        if denied or is_bound_to(decision, action):
            return decision
        if was_for_another_version(decision, action):
            reason = f"{action['name']} has changed since you answered; look at it again."
    raise DeniedError(
        f"{action['name']} was not run: it or its arguments were others each time a person had "
        "answered."
    )


def _refuse_if_denied(
    action: ActionRequest, decision: Decision, effect: str, policy: Policy, scope: RunPermissions
) -> None:
    """Raise if rules deny what is about to run: no answer and no edit overrides a deny."""
    if decision["type"] == "respond":
        return
    edited = decision.get("args") if decision["type"] == "edit" else None
    call: ActionRequest = action if edited is None else {**action, "args": edited}
    judged = judge(call, effect, policy, scope)
    if judged.action == "deny":
        raise _make_denied_error(action, judged)


def _make_denied_error(action: ActionRequest, judged: Judgement) -> DeniedError:
    return DeniedError(f"{action['name']} is denied: {judged.reason}.")


def _ask(kind: HumanRequestKind, action: Any, reason: str, scope: RunPermissions) -> Decision:
    asked = {**action, "reason": reason}
    payload = {"kind": kind, "action_requests": [asked], "context": reason}
    # Imported here: commands that run no agent import this module for rules and trust.
    from langgraph.types import interrupt

    return check_decision(kind, (scope.questions.ask or interrupt)(payload))


async def _notify_handler(action: ActionRequest, scope: RunPermissions) -> None:
    """Notify the handler, if it has the method; an error in it must not stop the call."""
    notify = getattr(scope.questions.hitl_handler, "notify_auto_approved", None)
    if notify is None:
        return
    try:
        await notify(action, scope.questions.session_id)
    except Exception:
        logger.exception("the handler failed to take note of %s", action["name"])
