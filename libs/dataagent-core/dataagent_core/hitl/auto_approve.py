"""Handlers that answer without a person."""

from dataagent_core.hitl.types import ActionRequest, Decision


class AutoApproveHandler:
    """Approves everything, for scripts whose owner said so."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:  # noqa: ARG002
        return {"type": "approve", "message": None}

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Nothing to tell: approving is all this handler does."""
