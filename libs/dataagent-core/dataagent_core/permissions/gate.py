"""Where a call stops until a person has decided.

The stop is a LangGraph interrupt: the segment ends here, costs nothing while it waits, and on
resume the same line returns the decision. So nothing before it may have an effect.
"""

import logging
from typing import Any

from langgraph.types import interrupt

from dataagent_core.hitl import ActionRequest, Decision, check_decision
from dataagent_core.permissions.policy import AskPolicy, decide
from dataagent_core.permissions.scope import RunScope

logger = logging.getLogger(__name__)


async def approval_for(action: ActionRequest, policy: AskPolicy, scope: RunScope) -> Decision:
    """Return the decision about a call, waiting for a person if the policy says so."""
    # A call once asked about must stop here again on resume: an "always" given meanwhile to another
    # call must not overrule what was said about this one.
    asked = action.get("call_key") in scope.asked
    if asked or decide(action["name"], policy, scope.always_approved) == "ask":
        payload: dict[str, Any] = {"kind": "approval", "action_requests": [action]}
        return check_decision("approval", interrupt(payload))
    if policy.would_ask(action["name"]):
        await _tell(action, scope)
    return {"type": "approve"}


async def _tell(action: ActionRequest, scope: RunScope) -> None:
    """Let the handler know, if it wants to; hearing of a call must not be able to stop it."""
    notify = getattr(scope.hitl_handler, "notify_auto_approved", None)
    if notify is None:
        return
    try:
        await notify(action, scope.run.session_id)
    except Exception:
        logger.exception("the handler failed to take note of %s", action["name"])
