"""Runs an agent for one message and yields its events.

    open the run > segment > a person's answers > segment > ... > done

`open_run.py` opens it, `segment.py` runs the graph, `ask_person.py` gets answers, `run_end.py`
describes its end; `stack.py` lists the middleware around model and tool calls. The run works in a
task of its own and writes to the log; the caller gets the events that are in the log.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from langchain_core.messages import HumanMessage

from dataagent_core.engine.answer_form import AnswerProblems
from dataagent_core.engine.answer_form.form import make_form_warning
from dataagent_core.engine.ask_person import (
    Answers,
    ask_person,
    close_open_requests,
    ends_the_run,
    has_timed_out,
    without_run_ends,
)
from dataagent_core.engine.assembly.agent_resources import AgentResources
from dataagent_core.engine.assembly.tool_inventory import ToolInventory, read_inventory
from dataagent_core.engine.attachments.server_content import ServerContentReader
from dataagent_core.engine.checkpoints import history
from dataagent_core.engine.checkpoints.history import Graph
from dataagent_core.engine.checkpoints.recovery import restore_context
from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.engine.graph.graph_call import GraphCall
from dataagent_core.engine.graph.shared_graph import AgentRunContext
from dataagent_core.engine.loops.staged.agent_state import AgentState, read_agent_state
from dataagent_core.engine.open_run import RunOpener, RunStart
from dataagent_core.engine.run_end import (
    RunEnd,
    RunStopped,
    end_for,
    end_of_rejected,
    run_until_stopped,
)
from dataagent_core.engine.segment import FinishedSegment, Segment, run_segment
from dataagent_core.engine.user_message import UserMessage, add_rewind_note
from dataagent_core.errors import ConfigurationError, NoOneToAskError, StorageError
from dataagent_core.events import ErrorEvent, Event
from dataagent_core.hitl import HITLHandler
from dataagent_core.permissions import RunPermissions, RunQuestions, RunTerms
from dataagent_core.permissions.doom_loop import DoomLoopDetector
from dataagent_core.runs import RunContext, RunMessage
from dataagent_core.session import FollowedMode, RunRecorder, check_prompt
from dataagent_core.skills import SkillSet
from dataagent_core.tools.pipeline.outcome import unpack_artifacts
from dataagent_core.tools.registry import ToolRegistry

logger = logging.getLogger(__name__)

OpenRun = Callable[[], Awaitable[RunStart]]


class AgentExecutor:
    """Drives one agent of `AgentFactory.create_agent`; it may run many sessions at once.

    Stores, limits and budgets come with the agent's graph, and so do `hitl_handler` and
    `assistant_id` unless given. `RunTerms` apply to a single run.
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
        resources = getattr(agent, "resources", None)
        if not isinstance(resources, AgentResources):
            # Any other graph has no permissions, budgets and limits.
            raise ConfigurationError(
                f"{type(agent).__name__!r} is not an agent of AgentFactory.create_agent, which "
                "gives a graph its permissions, budgets and limits. Make the agent there."
            )
        self.agent = agent
        self.backend = backend
        self.assistant_id = assistant_id or resources.assistant_id
        self._hitl_handler = hitl_handler or resources.hitl_handler
        self._resources = resources
        self._graph = resources.graph
        self._stores = resources.stores
        self._opener = RunOpener(resources, self.assistant_id)
        # Set when a program called the graph and reads its stream instead of the events.
        self._call = call
        chosen = (call.config if call else agent.config) or {}
        self._recursion_limit = chosen.get("recursion_limit", resources.recursion_limit)
        # By session.
        self._working: dict[str, asyncio.Task[None]] = {}
        self._recorders: dict[str, RunRecorder] = {}

    @property
    def running(self) -> bool:
        """Whether a run of this executor is active."""
        return bool(self._working)

    def execute(
        self,
        user_input: str,
        session_id: str,
        context: Mapping[str, Any] | None = None,
        cancellation_token: asyncio.Event | None = None,
        *,
        run_id: str | None = None,
        terms: RunTerms | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Run a message and yield the events of its run, the last of which is `done`.

        A run that has to wait for an absent person ends without `done`; `resume` continues it.
        `context` is stored with the message; a JSON Schema in it under `answer_schema` is the form
        the answer must have (`answer_form/`). `run_id` is for callers that announced the run before
        it begins. A wrong call (the session's id, a session that is running, an invalid schema)
        raises; everything after that is an event.
        """
        open_run = partial(self._opener.open_message, user_input, session_id, context, run_id)
        return self._stream_events(session_id, open_run, cancellation_token, terms)

    def resume(
        self,
        session_id: str,
        cancellation_token: asyncio.Event | None = None,
        *,
        run_id: str | None = None,
        terms: RunTerms | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Continue the session's unfinished run, after a crash or a wait.

        Without a `run_id` it is the last run. With a queue of messages that may be the wrong one,
        because a later message may have been cancelled meanwhile.
        """
        open_run = partial(self._opener.reopen, session_id, run_id)
        return self._stream_events(session_id, open_run, cancellation_token, terms)

    def compact(
        self,
        session_id: str,
        keep: str = "",
        cancellation_token: asyncio.Event | None = None,
        *,
        run_id: str | None = None,
        terms: RunTerms | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Compact the session's history, as when the window gets full.

        This is a run of its own kind, whose only model call is the summary. Its events include
        `context_compressed`, or a warning that there is nothing to compact. `keep` is what the user
        wants kept. A session with an unfinished run raises. `resume` continues a compaction too.
        """
        open_run = partial(self._opener.open_compaction, keep, session_id, run_id)
        return self._stream_events(session_id, open_run, cancellation_token, terms)

    async def suspend(self, session_id: str) -> None:
        """Stop working on a session's run, which stays open; `resume` continues it."""
        recorder, work = self._recorders.get(session_id), self._working.get(session_id)
        if recorder is not None and work is not None:
            # First, so that nothing of the interrupted work is written down as its outcome.
            await recorder.stop()
            work.cancel()

    async def aclose(self) -> None:
        """Close the agent's connections and programs."""
        await self._resources.aclose()

    async def inventory(self) -> ToolInventory:
        """List the agent's current tools; asks its MCP servers."""
        parts = self._resources.parts
        return ToolInventory() if parts is None else await read_inventory(parts.stack)

    @property
    def server_content(self) -> ServerContentReader:
        """The resources and prompts of the agent's MCP servers that a user may use."""
        return self._resources.attachments.servers

    async def read_state(self, session_id: str) -> AgentState:
        """Return where the last run of a session stands (S3's state), as its log says."""
        return await read_agent_state(self._stores, session_id)

    async def skills(self) -> SkillSet:
        """Return the skills that a run of the agent would have now."""
        known = self._resources.skills
        return SkillSet() if known is None else await known.load_usable()

    @property
    def _subagent_names(self) -> frozenset[str]:
        return frozenset({GENERAL_PURPOSE, *(one.name for one in self._resources.subagents)})

    async def missing_mentions(self, text: str) -> list[str]:
        """List the names after `@` that nothing and no sub-agent has; asks no server."""
        missing = await self._resources.attachments.missing(text)
        return [name for name in missing if name not in self._subagent_names]

    async def tools(self) -> ToolRegistry:
        """Return the agent's current tools."""
        return (await self.inventory()).registry

    async def _stream_events(
        self,
        session_id: str,
        open_run: OpenRun,
        token: asyncio.Event | None,
        terms: RunTerms | None,
    ) -> AsyncGenerator[Event, None]:
        """Open a run of any kind, run it in a task, and yield the events of its log."""
        with self._stores.claims.hold(session_id):
            start = await open_run()
            queue: asyncio.Queue[Event | None] = asyncio.Queue()
            work = asyncio.create_task(self._work(start, terms or RunTerms(), queue, token))
            work.add_done_callback(lambda _: queue.put_nowait(None))
            self._working[session_id] = work
            try:
                while (event := await queue.get()) is not None:
                    yield event
                await work
            finally:
                # The reader left early: the run is cancelled rather than going on unseen.
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)
                del self._working[session_id]
                self._recorders.pop(session_id, None)

    async def _work(
        self,
        start: RunStart,
        terms: RunTerms,
        queue: asyncio.Queue[Event | None],
        token: asyncio.Event | None,
    ) -> None:
        context = self._make_context(start, terms, queue.put_nowait)
        self._recorders[start.run.session_id] = context.recorder
        try:
            await self._run_and_finish(context, start, token)
        except StorageError as error:
            # An event that cannot be stored has no number: the run stays open and can be resumed.
            queue.put_nowait(
                ErrorEvent(error=str(error), code=error.code, recoverable=error.recoverable)
            )
            if self._call is not None:
                self._call.error = error

    def _make_context(
        self, start: RunStart, terms: RunTerms, publish: Callable[[Event], None]
    ) -> RunContext:
        run, log, limits = start.run, self._stores.log, self._resources.limits
        questions = RunQuestions(
            session_id=run.session_id,
            hitl_handler=terms.hitl_handler or self._hitl_handler,
            rule_saver=terms.rule_saver,
        )
        return AgentRunContext(
            run=run,
            message=RunMessage(
                text=start.message.own_words,
                use=start.message.use,
                forbid=start.message.forbid,
                background=start.message.background,
                planning=start.message.planning,
                has_form=start.message.form is not None,
                wants_memory=start.message.wants_memory,
            ),
            keep=start.message.text if run.kind == "compaction" else "",
            recorder=RunRecorder(log, run, publish),
            account=limits.account(run, self._stores.usage),
            permissions=RunPermissions(
                questions=questions,
                session_rules=list(terms.kept_rules),
                named_subagents=start.message.find_named(self._subagent_names),
                look_up_mode=FollowedMode(log, start.message.mode_session(run.session_id)).look,
                doom_loop=DoomLoopDetector(
                    threshold=limits.loop_calls, window_s=limits.loop_window_s
                ),
            ),
            agent=self._resources.parts,
        )

    async def _run_and_finish(
        self, context: RunContext, start: RunStart, token: asyncio.Event | None
    ) -> None:
        try:
            await context.recorder.commit(*start.events)
            # Before anything may stop the run, so that its open requests are closed at its end.
            answers = await restore_context(self._stores, self._graph, context)
            await context.permissions.update_mode()
            if self._resources.memory is not None:
                self._resources.memory.read_episodes(context.account)
            work = self._run_segments(context, start.message, answers)
            end = await run_until_stopped(work, token, self._resources.timeout_s)
        except NoOneToAskError:
            if self._call is not None:
                self._call.wait()
            await context.recorder.stop()
            return
        except StorageError:
            raise
        except asyncio.CancelledError as error:
            await self._finish(context, end_for(error))
            raise
        except (Exception, RunStopped) as error:  # noqa: BLE001 (a run ends with an event, S0 13)
            end = end_for(error)
        await self._finish(context, end)

    async def _run_segments(
        self, context: RunContext, user_message: UserMessage, answers: Answers
    ) -> RunEnd:
        message = await self._message_for_model(context, user_message)
        await self._restore_read_ledger(context)
        while not ends_the_run(answers):
            segment = await self._run_segment(context, message, answers)
            if not isinstance(segment, FinishedSegment):
                answers = await ask_person(segment.interrupts, context, answers)
                continue
            if user_message.form is None:
                return RunEnd(reason="completed", content=segment.answer)
            document = await user_message.form.check(segment.answer)
            if not isinstance(document, AnswerProblems):
                return RunEnd(reason="completed", content=document, format="json")
            message = await user_message.form.correction(self._graph, context.run, document)
            await context.recorder.commit(make_form_warning(document))
        return await self._end_rejected(context, message, answers)

    async def _message_for_model(
        self, context: RunContext, user_message: UserMessage
    ) -> HumanMessage | None:
        """Make the model's message with its attachments; a compaction has none."""
        run = context.run
        if run.kind == "compaction":
            if user_message.text:
                check_prompt(user_message.text)
            return None
        message = user_message.for_model(run.message_id)
        message = await add_rewind_note(self._stores.log, run, message)
        is_new = run.attempt == 1 or not history.holds(
            await self._graph.aget_state(history.thread(run.run_id)), run
        )
        return await self._resources.attachments.added_to(
            message, user_message.own_words, context, ask_servers=is_new
        )

    async def _restore_read_ledger(self, context: RunContext) -> None:
        """Tell the file tools which files the conversation has already read."""
        ledger = self._resources.ledger
        ledger.recall(await history.artifacts(self._graph, context.run))
        finished = context.journal.finished.values()
        ledger.recall(unpack_artifacts(e.payload for e in finished if e.payload is not None))

    async def _run_segment(
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

    async def _end_rejected(
        self, context: RunContext, message: HumanMessage | None, answers: Answers
    ) -> RunEnd:
        """End a run that a person rejected; the other calls they answered finish first.

        The rejected call and those without an answer stop at the gate again.
        """
        others = without_run_ends(answers)
        if others:
            context.progress.closing = True
            await self._run_segment(context, message, others)
        return end_of_rejected(context.progress.refused_budget, timed_out=has_timed_out(answers))

    async def _finish(self, context: RunContext, end: RunEnd) -> None:
        run, recorder, memory = context.run, context.recorder, self._resources.memory
        if memory is not None and end.cancelled:
            await memory.stop_reading(context.account)
        if recorder.closed:
            # Suspended: the run is not over.
            return
        if end.content:
            await self._stores.messages.save_message(
                run.session_id, "assistant", end.content, message_id=f"{run.run_id}:answer"
            )
        closed = close_open_requests(context)
        learned = () if memory is None else await memory.learn(context)
        last = (*recorder.take_deferred(), *closed, *learned, *end.errors())
        await recorder.finish(end.done(context.account.total), *last)
        if self._call is not None:
            self._call.error = end.cause
        for notify in self._resources.ended:
            notify(run.run_id)
        if self._resources.patterns is not None:
            await self._resources.patterns.learn(context)
        await history.drop_obsolete(self._graph, self._stores.checkpoints, run)
