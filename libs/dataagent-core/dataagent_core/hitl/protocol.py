"""How a face (terminal, web, test) lets a person decide. The engine only knows this protocol."""

from typing import Protocol

from dataagent_core.hitl.types import ActionRequest, Decision


class HITLHandler(Protocol):
    """Asks one person about one action.

    A handler that has nobody to ask raises `NoOneToAskError`: the run then waits, and whoever can
    answer resumes it.
    """

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        """Return what the person decided about this action."""
        ...

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Hear of an action that would have been asked, had a rule not allowed it."""
        ...
