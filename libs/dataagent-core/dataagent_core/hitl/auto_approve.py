"""Handlers that answer without a person."""

from dataagent_core.hitl.types import ActionRequest, Decision

NOT_REPEATED = (
    "It is not known whether this call happened before the interruption, so it was not repeated. "
    "Find out first; call it again only if it did not."
)


def approve_unless_repeated(action: ActionRequest) -> Decision:
    """Say yes, but never to doing something a second time that cannot be undone."""
    if action.get("unknown_outcome"):
        return {"type": "respond", "message": NOT_REPEATED}
    return {"type": "approve", "message": None}


class AutoApproveHandler:
    """Approves everything, for scripts whose owner said so."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:  # noqa: ARG002
        return approve_unless_repeated(action_request)

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Nothing to tell: approving is all this handler does."""
