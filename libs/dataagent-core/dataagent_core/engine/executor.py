"""Runs an agent for one message and gives its events.

    open the run > segment > a person's answers > segment > ... > done

The run works in a task of its own and writes to the log; `execute` hands out what the log has
taken. How a segment goes is in `segment.py`, what wraps model and tool calls in `stack.py`.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from langchain_core.messages import HumanMessage

from dataagent_core.engine import history, opening
from dataagent_core.engine.answer_form import Unfit
from dataagent_core.engine.answer_form.form import told
from dataagent_core.engine.asking import (
    Answers,
    answers_for,
    ends_the_run,
    superseded,
    timed_out,
    without_ends,
)
from dataagent_core.engine.ending import Ending, ending_for, rejected
from dataagent_core.engine.graph_call import GraphCall
from dataagent_core.engine.history import Graph
from dataagent_core.engine.inventory import Inventory, inventory_of
from dataagent_core.engine.missing_mentions import missing_mentions
from dataagent_core.engine.race import Interrupted, race
from dataagent_core.engine.resources import resources_of
from dataagent_core.engine.rewound import with_rewinds
from dataagent_core.engine.said import Said
from dataagent_core.engine.segment import Finished, Segment, run_segment
from dataagent_core.engine.server_content import ContentOfServers
from dataagent_core.engine.shared_graph import AgentRunContext
from dataagent_core.errors import NoOneToAskError, StorageError
from dataagent_core.events import ErrorEvent, Event
from dataagent_core.hitl import HITLHandler
from dataagent_core.permissions import Rule, RuleSaver, RunPermissions, RunQuestions
from dataagent_core.runs import RunContext
from dataagent_core.session import FollowedMode, Run, RunRecorder, check_prompt, mode_of
from dataagent_core.tools.outcome import artifacts_in
from dataagent_core.tools.registry import ToolRegistry

logger = logging.getLogger(__name__)


class AgentExecutor:
    """Drives one agent of `AgentFactory.create_agent`; it may run many sessions side by side.

    The graph brings the agent's stores, limits and budgets along; `hitl_handler` and `assistant_id`
    are the agent's own unless given.
    """

    def __init__(
        self,
        agent: Graph,
        backend: Any,
        hitl_handler: HITLHandler | None = None,
        assistant_id: str | None = None,
        *,
        call: GraphCall | None = None,
    ) -> None:
        resources = resources_of(agent)
        self.agent = agent
        self.backend = backend
        self.hitl_handler = hitl_handler or resources.hitl_handler
        # Where an "always" is kept beyond its session; nowhere unless somebody sets it.
        self.rule_saver: RuleSaver | None = None
        # What was kept so in earlier sessions, where no file of rules holds it.
        self.kept_rules: Sequence[Rule] = ()
        self.assistant_id = assistant_id or resources.assistant_id
        self._resources = resources
        self._graph = resources.graph
        self._stores = resources.stores
        # Set where a program called the graph itself and reads its stream instead of the events.
        self._call = call
        chosen = (call.config if call else agent.config) or {}
        self._recursion_limit = chosen.get("recursion_limit", resources.recursion_limit)
        self._active_runs = 0

    @property
    def _model_name(self) -> str:
        return self._resources.models[0].name

    @property
    def running(self) -> bool:
        """Say whether a run of this executor is under way."""
        return self._active_runs > 0

    async def execute(
        self,
        user_input: str,
        session_id: str,
        context: Mapping[str, Any] | None = None,
        cancellation_token: asyncio.Event | None = None,
        *,
        run_id: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Take up a message and give the events of its run, the last of which is `done`.

        A run that has to wait for a person who is not there ends without `done`; `resume`
        continues it. `context` is kept with the stored message; a JSON Schema in it under
        `answer_schema` is the form the answer must have (`answer_form/`). `run_id` is for whoever
        announced the run before it begins. What is wrong with the call itself (the session's id,
        a session that is running, a schema that is none) raises; whatever happens after that is
        an event.
        """
        said = Said.of(user_input, context)
        with self._stores.claims.hold(session_id):
            run = await opening.new_run(
                self._stores, user_input, session_id, context, run_id=run_id
            )
            mode = await mode_of(self._stores.log, session_id)
            started = opening.started(run, self._model_name, self.assistant_id, mode)
            events = self._events_of(run, said, [started], cancellation_token)
            async with aclosing(events):
                async for event in events:
                    yield event

    async def resume(
        self,
        session_id: str,
        cancellation_token: asyncio.Event | None = None,
        *,
        run_id: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Go on with the session's unfinished run, after a crash or a wait.

        Without a `run_id` it is the last one; where messages can wait in a queue, a later one may
        have been cancelled meanwhile.
        """
        with self._stores.claims.hold(session_id):
            run, said, first = await opening.reopen(
                self._stores, self._graph, session_id, run_id, self._resources.tracer
            )
            events = self._events_of(run, said, first, cancellation_token)
            async with aclosing(events):
                async for event in events:
                    yield event

    async def compact(
        self,
        session_id: str,
        keep: str = "",
        cancellation_token: asyncio.Event | None = None,
        *,
        run_id: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Show the session's history shorter from now on, as when the window gets full.

        A run of its own, whose model call is the summary alone: `context_compressed` is among its
        events, or a warning that there is nothing to win. `keep` is what the person wants kept. A
        session with an unfinished run raises; `resume` goes on with a compaction as with any run.
        """
        with self._stores.claims.hold(session_id):
            run = await opening.new_compaction(self._stores, keep, session_id, run_id=run_id)
            mode = await mode_of(self._stores.log, session_id)
            started = opening.started(run, self._model_name, self.assistant_id, mode)
            events = self._events_of(run, Said(keep), [started], cancellation_token)
            async with aclosing(events):
                async for event in events:
                    yield event

    async def aclose(self) -> None:
        """Close the agent's connections and programs."""
        await self._resources.aclose()

    async def inventory(self) -> Inventory:
        """Say what the agent can do now; its MCP servers are asked."""
        parts = self._resources.parts
        return Inventory() if parts is None else await inventory_of(parts.stack)

    @property
    def server_content(self) -> ContentOfServers:
        """What a person may use of the agent's MCP servers: resources and prompts."""
        return self._resources.attachments.servers

    async def missing_mentions(self, text: str) -> list[str]:
        """List the names with `@` in a message that nothing here has; no server is asked."""
        return await missing_mentions(text, self._resources.attachments)

    async def tools(self) -> ToolRegistry:
        """Give the tools the agent has now."""
        return (await self.inventory()).registry

    async def _events_of(
        self, run: Run, said: Said, first: list[Event], token: asyncio.Event | None
    ) -> AsyncGenerator[Event, None]:
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        work = asyncio.create_task(self._work(run, said, first, queue, token))
        work.add_done_callback(lambda _: queue.put_nowait(None))
        self._active_runs += 1
        try:
            while (event := await queue.get()) is not None:
                yield event
            await work
        finally:
            # The reader left early: the run ends as cancelled rather than going on unseen.
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            self._active_runs -= 1

    async def _work(
        self,
        run: Run,
        said: Said,
        first: list[Event],
        queue: asyncio.Queue[Event | None],
        token: asyncio.Event | None,
    ) -> None:
        recorder = RunRecorder(self._stores.log, run, queue.put_nowait)
        context = self._context(run, recorder, said.text if run.is_compaction else "")
        try:
            await self._run_and_finish(context, said, first, token)
        except StorageError as error:
            # What cannot be written cannot be numbered: the run stays open and can be resumed.
            queue.put_nowait(
                ErrorEvent(error=str(error), code=error.code, recoverable=error.recoverable)
            )
            if self._call is not None:
                self._call.error = error

    def _context(self, run: Run, recorder: RunRecorder, keep: str) -> RunContext:
        permissions = RunPermissions(
            questions=RunQuestions(
                session_id=run.session_id,
                hitl_handler=self.hitl_handler,
                rule_saver=self.rule_saver,
            ),
            session_rules=list(self.kept_rules),
            look_up_mode=FollowedMode(self._stores.log, run.session_id).look,
            doom_loop=self._resources.limits.loop_detector(),
        )
        return AgentRunContext(
            run=run,
            keep=keep,
            recorder=recorder,
            account=self._resources.limits.account(run, self._stores.usage),
            permissions=permissions,
            agent=self._resources.parts,
        )

    async def _run_and_finish(
        self, context: RunContext, said: Said, first: list[Event], token: asyncio.Event | None
    ) -> None:
        try:
            await context.recorder.commit(*first)
            # Before anything may stop the run: what it still asks is closed when it ends.
            answers = await opening.settle(self._stores, self._graph, context)
            await context.permissions.update_mode()
            work = self._to_the_end(context, said, answers)
            ending = await race(work, token, self._resources.timeout_s)
        except NoOneToAskError:
            if self._call is not None:
                self._call.wait()
            await context.recorder.stop()
            return
        except StorageError:
            raise
        except asyncio.CancelledError as error:
            await self._finish(context, ending_for(error))
            raise
        except (Exception, Interrupted) as error:  # noqa: BLE001 (a run ends with an event, S0 13)
            ending = ending_for(error)
        await self._finish(context, ending)

    async def _to_the_end(self, context: RunContext, said: Said, answers: Answers) -> Ending:
        message = None
        if not context.run.is_compaction:
            message = said.message(context.run.message_id)
            message = await with_rewinds(self._stores.log, context.run, message)
            message = await self._resources.attachments.added_to(
                message, said.own, context, ask_servers=not await self._is_given(context.run)
            )
        elif said.text:
            check_prompt(said.text)
        ledger = self._resources.ledger
        ledger.recall(await history.artifacts(self._graph, context.run))
        journalled = (e.payload for e in context.journal.finished.values() if e.payload is not None)
        ledger.recall(artifacts_in(journalled))
        if ends_the_run(answers):
            return await self._rejected(context, message, answers)
        while True:
            segment = await self._segment(context, message, answers)
            if isinstance(segment, Finished):
                if said.form is None:
                    return Ending(reason="completed", content=segment.answer)
                document = await said.form.judged(segment.answer)
                if not isinstance(document, Unfit):
                    return Ending(reason="completed", content=document, format="json")
                message = await said.form.correction(self._graph, context.run, document)
                await context.recorder.commit(told(document))
                continue
            replies = await answers_for(segment.interrupts, context, answers)
            if ends_the_run(replies):
                return await self._rejected(context, message, replies)
            answers = replies

    async def _is_given(self, run: Run) -> bool:
        """Say whether an earlier attempt has given the agent the run's message."""
        if run.attempt == 1:
            return False
        return history.holds(await self._graph.aget_state(history.thread(run.run_id)), run)

    async def _segment(
        self, context: RunContext, message: HumanMessage | None, answers: Answers
    ) -> Segment:
        return await run_segment(
            self._graph,
            context,
            message,
            answers,
            self._recursion_limit,
            tracer=self._resources.tracer,
            call=self._call,
        )

    async def _rejected(
        self, context: RunContext, message: HumanMessage | None, answers: Answers
    ) -> Ending:
        """End the run that a person ended; the other calls they answered finish first.

        The rejected call and those nobody answered stop at the gate again, so nothing follows.
        """
        others = without_ends(answers)
        if others:
            context.progress.closing = True
            await self._segment(context, message, others)
        return rejected(context.progress.refused_budget, timed_out=timed_out(answers))

    async def _finish(self, context: RunContext, ending: Ending) -> None:
        run = context.run
        if ending.content:
            await self._stores.messages.save_message(
                run.session_id, "assistant", ending.content, message_id=f"{run.run_id}:answer"
            )
        last_words = (*context.recorder.take_deferred(), *superseded(context), *ending.errors())
        await context.recorder.finish(ending.done(context.account.total), *last_words)
        if self._call is not None:
            self._call.error = ending.cause
        for hear in self._resources.ended:
            hear(run.run_id)
        await self._drop_what_is_replaced(run)

    async def _drop_what_is_replaced(self, run: Run) -> None:
        try:
            obsolete = await history.obsolete_run(self._graph, run)
            if obsolete is not None:
                await self._stores.checkpoints.adelete_thread(obsolete)
        except StorageError:
            # The run is done and said so; what is left behind only takes space.
            logger.exception("cannot drop the checkpoints that run %s replaced", run.run_id)
