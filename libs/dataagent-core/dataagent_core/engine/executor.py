"""Runs an agent for one message and gives its events.

    open the run > segment > a person's answers > segment > ... > done

The run works in a task of its own and writes to the log; `execute` hands out what the log has
taken. How a segment goes is in `segment.py`, what wraps model and tool calls in `stack.py`.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from langchain_core.messages import HumanMessage

from dataagent_core.config.limits import RECURSION_LIMIT_STEPS
from dataagent_core.engine import opening
from dataagent_core.engine.asking import Answers, Rejected, answers_for
from dataagent_core.engine.ending import Ending, ending_for
from dataagent_core.engine.race import Interrupted, race
from dataagent_core.engine.segment import Finished, Graph, run_segment
from dataagent_core.errors import NoOneToAskError, StorageError
from dataagent_core.events import ErrorEvent, Event
from dataagent_core.hitl import HITLHandler
from dataagent_core.models import ResolvedModel
from dataagent_core.permissions import RunScope
from dataagent_core.session import Run, RunRecorder, check_prompt
from dataagent_core.session.stores.bundle import Stores


class AgentExecutor:
    """Drives one agent; it may run many sessions side by side."""

    def __init__(
        self,
        agent: Graph,
        backend: Any,
        hitl_handler: HITLHandler | None = None,
        assistant_id: str | None = None,
        *,
        stores: Stores | None = None,
        models: Sequence[ResolvedModel] = (),
        recursion_limit: int = RECURSION_LIMIT_STEPS,
        timeout_s: float | None = None,
    ) -> None:
        self.agent = agent
        self.backend = backend
        self.hitl_handler = hitl_handler
        self.assistant_id = assistant_id or ""
        self._stores = stores or Stores.in_memory()
        self._models = models
        self._recursion_limit = recursion_limit
        self._timeout_s = timeout_s

    async def execute(
        self,
        user_input: str,
        session_id: str,
        context: Mapping[str, Any] | None = None,
        cancellation_token: asyncio.Event | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Take up a message and give the events of its run, the last of which is `done`.

        A run that has to wait for a person who is not there ends without `done`; `resume`
        continues it. `context` is kept with the stored message.
        """
        run = await opening.new_run(self._stores, user_input, session_id, context)
        model_name = self._models[0].name if self._models else ""
        started = opening.started(run, model_name, self.assistant_id)
        async with aclosing(
            self._events_of(run, user_input, [started], cancellation_token)
        ) as events:
            async for event in events:
                yield event

    async def resume(
        self, session_id: str, cancellation_token: asyncio.Event | None = None
    ) -> AsyncGenerator[Event, None]:
        """Go on with the session's unfinished run, after a crash or a wait."""
        run, user_input, first = await opening.reopen(self._stores, self.agent, session_id)
        async with aclosing(self._events_of(run, user_input, first, cancellation_token)) as events:
            async for event in events:
                yield event

    async def aclose(self) -> None:
        """Close the connections of the models this executor was given."""
        for model in self._models:
            await model.aclose()

    async def _events_of(
        self, run: Run, user_input: str, first: list[Event], token: asyncio.Event | None
    ) -> AsyncGenerator[Event, None]:
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        work = asyncio.create_task(self._work(run, user_input, first, queue, token))
        work.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (event := await queue.get()) is not None:
                yield event
            await work
        finally:
            # The reader left early: the run ends as cancelled rather than going on unseen.
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def _work(
        self,
        run: Run,
        user_input: str,
        first: list[Event],
        queue: asyncio.Queue[Event | None],
        token: asyncio.Event | None,
    ) -> None:
        recorder = RunRecorder(self._stores.log, run, queue.put_nowait)
        scope = RunScope(run=run, recorder=recorder, hitl_handler=self.hitl_handler)
        try:
            try:
                await recorder.commit(*first)
                ending = await race(self._to_the_end(scope, user_input), token, self._timeout_s)
            except NoOneToAskError:
                await recorder.stop()
                return
            except StorageError:
                raise
            except (Exception, Interrupted, asyncio.CancelledError) as error:
                ending = ending_for(error)
                await self._finish(scope, ending)
                if isinstance(error, asyncio.CancelledError):
                    raise
                return
            await self._finish(scope, ending)
        except StorageError as error:
            # What cannot be written cannot be numbered: the run stays open and can be resumed.
            queue.put_nowait(ErrorEvent(error=str(error), code=error.code, recoverable=True))

    async def _to_the_end(self, scope: RunScope, user_input: str) -> Ending:
        check_prompt(user_input)
        message = HumanMessage(content=opening.prompt_text(user_input), id=scope.run.message_id)
        answers = await opening.settle(self._stores, self.agent, scope)
        while True:
            segment = await run_segment(self.agent, scope, message, answers, self._recursion_limit)
            if isinstance(segment, Finished):
                return Ending(reason="completed", content=segment.answer)
            replies = await answers_for(segment.interrupts, scope, answers)
            if isinstance(replies, Rejected):
                return Ending(reason="rejected", cancelled=True)
            answers: Answers = replies

    async def _finish(self, scope: RunScope, ending: Ending) -> None:
        run = scope.run
        if ending.content:
            await self._stores.messages.save_message(
                run.session_id, "assistant", ending.content, message_id=f"{run.run_id}:answer"
            )
        await scope.recorder.finish(ending.done(scope.token_usage), *ending.errors())
        if run.previous_run_id is not None:
            # This run's state holds everything the one before had.
            await self._stores.checkpoints.adelete_thread(run.previous_run_id)
