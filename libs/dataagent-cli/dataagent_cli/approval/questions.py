"""Puts the open human requests of a run to the person, one at a time, and sends the decisions.

Open requests are read from the events, so a request that was open when the process was killed is
asked again. `decider.py` finds the decision.
"""

import asyncio
from typing import TYPE_CHECKING

from dataagent_cli.approval.decider import Decider
from dataagent_cli.conversation.port import Conversation
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.output.streams import Output
from dataagent_cli.transcript.calls.task_names import TaskName, TaskNames
from dataagent_core import events as ev
from dataagent_core.errors import DataAgentError, NoOneToAskError

if TYPE_CHECKING:
    from dataagent_core.events import Event


class OpenQuestions:
    """Follows the open questions of a conversation."""

    def __init__(
        self, conversation: Conversation, decider: Decider, output: Output, say: Messages
    ) -> None:
        self._conversation = conversation
        self._decider = decider
        self._output = output
        self._say = say
        self._open: dict[str, ev.HITLRequestEvent] = {}
        self._tasks = TaskNames()
        self._answered: set[str] = set()
        self._changed = asyncio.Event()
        self._current: tuple[str, asyncio.Task[None]] | None = None
        self._may_ask = asyncio.Event()
        self._may_ask.set()

    def hold(self) -> None:
        """Ask nothing yet: the run that asked is being resumed."""
        self._may_ask.clear()

    def go_on(self) -> None:
        """Ask the open requests."""
        self._may_ask.set()

    @property
    def waits_for_person(self) -> bool:
        """Say whether the run needs a decision to continue."""
        return self.first is not None

    @property
    def first(self) -> ev.HITLRequestEvent | None:
        """The first open request."""
        return next((r for k, r in self._open.items() if k not in self._answered), None)

    def find_task(self, request: ev.HITLRequestEvent) -> TaskName | None:
        """Return the task of the sub-agent that asks."""
        return self._tasks.find(request.subagent_id)

    def see(self, event: "Event") -> None:
        """Take an event into account: a request, an answer, or an answer that was refused."""
        self._tasks.see(event)
        match event:
            case ev.HITLRequestEvent():
                self._open[event.interrupt_id] = event
            case ev.HITLAnswerEvent():
                self._close(event.interrupt_id)
            case ev.DoneEvent():
                for interrupt_id in list(self._open):
                    self._close(interrupt_id)
            case ev.WarningEvent() if self._answered:
                # The run could not use an answer and says why: the request stays open.
                self._answered.clear()
            case _:
                return
        self._changed.set()

    async def run(self) -> None:
        """Ask until the conversation ends or the person leaves."""
        while True:
            await self._may_ask.wait()
            request = self.first
            if request is None:
                self._changed.clear()
                await self._changed.wait()
                continue
            task = asyncio.create_task(self._ask(request))
            self._current = (request.interrupt_id, task)
            try:
                await asyncio.wait({task})
            finally:
                task.cancel()
            self._current = None
            if not task.cancelled():
                task.result()

    async def stop(self) -> None:
        """Remove the question that is shown."""
        if self._current is not None:
            self._current[1].cancel()

    def _close(self, interrupt_id: str) -> None:
        self._open.pop(interrupt_id, None)
        self._answered.discard(interrupt_id)
        if self._current is not None and self._current[0] == interrupt_id:
            self._current[1].cancel()

    async def _ask(self, request: ev.HITLRequestEvent) -> None:
        decision = await self._decider.decide(request, self.find_task(request))
        self._answered.add(request.interrupt_id)
        try:
            await self._conversation.answer(request.interrupt_id, decision)
        except NoOneToAskError:
            raise
        except DataAgentError as error:
            # Answered elsewhere, or the answer does not fit: the events say which one counts.
            self._answered.discard(request.interrupt_id)
            self._output.note(self._say("error", text=sanitize_text(error.for_person)), fg="red")
