"""Holds a run of this process at its human request: core's handlers, answered from elsewhere.

The request is an event in the log before a handler receives it, so it survives the process; only
the wait is here. Leaving parks the run: the request is asked again when the run is resumed.
"""

import asyncio
from typing import TYPE_CHECKING, cast

from dataagent_core.errors import ConflictError, NoOneToAskError
from dataagent_core.events import HITLAnswerEvent, HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision, check_decision

if TYPE_CHECKING:
    from dataagent_core.events import Event


class PendingAnswers:
    """Holds the run at its request until `answer` is called, or until the person leaves."""

    def __init__(self) -> None:
        self._open: dict[str, HITLRequestEvent] = {}
        self._answers: dict[str, asyncio.Future[Decision]] = {}
        self._waited_for: set[str] = set()
        self._left = False

    @property
    def holds_the_run(self) -> bool:
        """Say whether a run waits here."""
        return bool(self._waited_for)

    @property
    def open_requests(self) -> list[HITLRequestEvent]:
        """The requests without an answer."""
        return list(self._open.values())

    def see(self, event: "Event") -> None:
        """Take requests and answers of the log into account."""
        if isinstance(event, HITLRequestEvent):
            self._open[event.interrupt_id] = event
        elif isinstance(event, HITLAnswerEvent):
            self._open.pop(event.interrupt_id, None)

    def answer(self, interrupt_id: str, decision: Decision) -> None:
        """Pass an answer to the run that waits, or will wait, for it."""
        request = self._open.get(interrupt_id)
        if request is None:
            raise ConflictError("the question is answered already.")
        checked = check_decision(request.kind, decision)
        answer = self._answer_to(_key(request))
        if answer.done():
            raise ConflictError("the question is answered already.")
        answer.set_result(checked)

    def leave(self) -> None:
        """Let the run park: nobody answers any more."""
        self._left = True
        for key in self._waited_for:
            waiting = self._answer_to(key)
            if not waiting.done():
                waiting.set_exception(_nobody())

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:  # noqa: ARG002 (core's signature)
        return await self._answer_for(_key_of_call(action_request))

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:  # noqa: ARG002 (core's signature)
        return await self._answer_for(_key(request))

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Print nothing: the call's own line follows."""

    async def _answer_for(self, key: str) -> Decision:
        if self._left:
            raise _nobody()
        self._waited_for.add(key)
        try:
            return await self._answer_to(key)
        finally:
            self._waited_for.discard(key)
            self._answers.pop(key, None)

    def _answer_to(self, key: str) -> asyncio.Future[Decision]:
        if key not in self._answers:
            self._answers[key] = asyncio.get_running_loop().create_future()
        return self._answers[key]


def _key(request: HITLRequestEvent) -> str:
    # A handler receives an approval as the call alone, without the request's id.
    if request.kind == "approval" and request.action_requests:
        return _key_of_call(cast("ActionRequest", request.action_requests[0]))
    return request.interrupt_id


def _key_of_call(action: ActionRequest) -> str:
    return action.get("call_key") or action.get("tool_call_id") or action["name"]


def _nobody() -> NoOneToAskError:
    return NoOneToAskError("the person left; the question waits for them.")
