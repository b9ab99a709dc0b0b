"""A handler for runs without a person beside them: it answers nothing, so the run waits.

The request is in the log by then. Whoever opens the session answers it, and the run is resumed.
"""

from typing import NoReturn

from dataagent_core.errors import NoOneToAskError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl.types import ActionRequest


class AbsentPersonHandler:
    """It holds no connection and leaves the request in the log."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> NoReturn:
        raise NoOneToAskError(f"{action_request['name']} in session {session_id} waits.")

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> NoReturn:
        raise NoOneToAskError(f"a {request.kind} in session {session_id} waits.")

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Do nothing; the log has it."""
