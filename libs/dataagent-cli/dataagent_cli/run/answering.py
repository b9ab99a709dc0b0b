"""Answers what a run elsewhere asks: its requests come as events, the desk's decisions go back."""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from dataagent_cli.approval.desk import ApprovalDesk
from dataagent_cli.conversation.port import Conversation
from dataagent_core.errors import ConflictError
from dataagent_core.events import HITLAnswerEvent, HITLRequestEvent

if TYPE_CHECKING:
    from dataagent_core.events import Event
    from dataagent_core.hitl import ActionRequest, Decision


class Answering:
    """One question at a time; one that is answered elsewhere is taken away."""

    def __init__(self, conversation: Conversation, desk: ApprovalDesk) -> None:
        self._conversation = conversation
        self._desk = desk
        self._open: dict[str, HITLRequestEvent] = {}
        self._changed = asyncio.Event()
        self._current: tuple[str, asyncio.Task[None]] | None = None

    def see(self, event: "Event") -> None:
        """Learn what is asked and what is answered."""
        if isinstance(event, HITLRequestEvent):
            self._open[event.interrupt_id] = event
            self._changed.set()
        elif isinstance(event, HITLAnswerEvent):
            self._open.pop(event.interrupt_id, None)
            if self._current is not None and self._current[0] == event.interrupt_id:
                self._current[1].cancel()

    async def run(self) -> None:
        """Answer until nobody is there to ask, which is raised."""
        while True:
            if not self._open:
                self._changed.clear()
                await self._changed.wait()
                continue
            interrupt_id, request = next(iter(self._open.items()))
            task = asyncio.create_task(self._answer(request))
            self._current = (interrupt_id, task)
            try:
                await asyncio.wait({task})
            finally:
                task.cancel()
            self._current = None
            self._open.pop(interrupt_id, None)
            if not task.cancelled():
                task.result()

    async def _answer(self, request: HITLRequestEvent) -> None:
        decision = await self._decision(request)
        # Somebody else may have been quicker; the events say with what.
        with suppress(ConflictError):
            await self._conversation.answer(request.interrupt_id, decision)

    async def _decision(self, request: HITLRequestEvent) -> "Decision":
        session_id = self._conversation.facts.session_id
        if request.kind == "approval":
            action = cast("ActionRequest", request.action_requests[0])
            return await self._desk.request_approval(action, session_id)
        return await self._desk.answer_question(request, session_id)
