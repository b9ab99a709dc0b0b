"""The handler of every agent on the server: nobody is there, so the run waits.

Its question is in the log and a row by then; whoever may, answers it, from any client, and the run
is taken up again.
"""

from typing import NoReturn

from dataagent_core.errors import NoOneToAskError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import ActionRequest


class NobodyHere:
    """Asks nobody."""

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> NoReturn:
        raise NoOneToAskError(f"{action_request['name']} in session {session_id} waits.")

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> NoReturn:
        raise NoOneToAskError(f"a {request.kind} in session {session_id} waits.")

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Nobody is there to hear of it; the log has it."""
