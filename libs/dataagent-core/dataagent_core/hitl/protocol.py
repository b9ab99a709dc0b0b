"""How a client (terminal, web, test) lets a person decide. The engine only knows this protocol."""

from typing import Protocol

from dataagent_core.hitl.types import ActionRequest, Decision


class HITLHandler(Protocol):
    """Asks one person about one action.

    A handler that has nobody to ask raises `NoOneToAskError`: the run then waits until a person
    who can answer resumes it.
    """

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        """Return what the person decided about this action."""
        ...

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Receive an action that a rule allowed and that would have been asked about otherwise."""
        ...
