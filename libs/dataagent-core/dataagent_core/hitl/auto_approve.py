"""Handlers that answer without a person."""

from dataagent_core.hitl.types import ActionRequest, Decision

NOT_REPEATED = (
    "It is not known whether this call happened before the interruption, so it was not repeated. "
    "Find out first; call it again only if it did not."
)
NOBODY_SAW_IT = (
    "A person has to see this call before it runs, and nobody is there. Nothing was done; say what "
    "you would have done, so that somebody can do it."
)


def approve_unless_repeated(action: ActionRequest) -> Decision:
    """Say yes, but not to what must be seen, nor to doing a second time what cannot be undone."""
    if action.get("unknown_outcome"):
        return {"type": "respond", "message": NOT_REPEATED}
    if action.get("always_asked"):
        return {"type": "respond", "message": NOBODY_SAW_IT}
    return {"type": "approve", "message": None}


class AutoApproveHandler:
    """Approves everything, for scripts whose owner said so."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:  # noqa: ARG002
        return approve_unless_repeated(action_request)

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Nothing to tell: approving is all this handler does."""
