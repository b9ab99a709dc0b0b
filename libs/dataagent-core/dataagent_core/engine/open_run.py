"""Opens an attempt at a run: for a message, for a compaction, or for an unfinished run.

`checkpoints/recovery.py` finds what an earlier attempt left out of the log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dataagent_core.engine.answer_form.figures import with_figures
from dataagent_core.engine.assembly.agent_resources import AgentResources
from dataagent_core.engine.checkpoints.history import answers_of, thread
from dataagent_core.engine.checkpoints.recovery import recover
from dataagent_core.engine.user_message import UserMessage
from dataagent_core.errors import ConflictError, NotFoundError, SessionBusyError
from dataagent_core.events import Event, RunResumedEvent, RunStartedEvent
from dataagent_core.events.system import RunKind, message_id_for
from dataagent_core.ids import checked_id, new_id
from dataagent_core.session import Run, mode_of, read_all, runs_of


@dataclass(frozen=True, slots=True)
class RunStart:
    """One attempt at a run before it works."""

    run: Run
    # For a compaction: what the user wants kept.
    message: UserMessage
    # The first events of the attempt.
    events: Sequence[Event]


@dataclass(frozen=True, slots=True)
class RunOpener:
    """Opens the runs of one agent."""

    resources: AgentResources
    assistant_id: str

    async def open_message(
        self, text: str, session_id: str, context: Mapping[str, Any] | None, run_id: str | None
    ) -> RunStart:
        """Store a message and start the run that answers it."""
        message = UserMessage.of(text, context)
        run = await self._make_run(session_id, run_id, "message")
        await self.resources.stores.messages.save_message(
            session_id, "user", text, dict(context or {}), message_id=run.message_id
        )
        return await self._start(run, message)

    async def open_compaction(self, keep: str, session_id: str, run_id: str | None) -> RunStart:
        """Store what the user wants kept, and start the run that compacts the history."""
        run = await self._make_run(session_id, run_id, "compaction")
        if keep:
            await self.resources.stores.messages.save_message(
                session_id, "user", keep, message_id=run.message_id
            )
        return await self._start(run, UserMessage(keep))

    async def reopen(self, session_id: str, run_id: str | None) -> RunStart:
        """Find the unfinished run, its message, and the events that a crash left unwritten."""
        run = await self._find_unfinished_run(session_id, run_id)
        stored = await self.resources.stores.messages.get_message(session_id, run.message_id)
        if stored is None and run.kind == "message":
            raise NotFoundError("the message of the last run is missing; it cannot be resumed.")
        message = UserMessage.of(stored.content, stored.metadata) if stored else UserMessage("")
        events = await read_all(self.resources.stores.log, session_id, run_id=run.run_id)
        state = await self.resources.graph.aget_state(thread(run.run_id))
        answers = answers_of(state, run)
        recovery = recover(events, answers, run.run_id)
        missing = await with_figures(recovery.missing, answers, run, self.resources.tracer)
        resumed = RunResumedEvent(attempt=recovery.attempt, discard_after=recovery.discard_after)
        return RunStart(replace(run, attempt=recovery.attempt), message, [resumed, *missing])

    async def _start(self, run: Run, message: UserMessage) -> RunStart:
        started = RunStartedEvent(
            message_id=run.message_id,
            model=self.resources.models[0].name,
            assistant_id=self.assistant_id,
            mode=await mode_of(self.resources.stores.log, message.mode_session(run.session_id)),
        )
        return RunStart(run, message, [started])

    async def _make_run(self, session_id: str, run_id: str | None, kind: RunKind) -> Run:
        checked_id(session_id, "session id")
        runs = await runs_of(self.resources.stores.log, session_id)
        if any(not run.done for run in runs):
            raise SessionBusyError(
                f"session {session_id!r} has an unfinished run: resume it first, or use another "
                "session."
            )
        run_id = run_id or new_id()
        return Run(
            run_id=run_id,
            session_id=session_id,
            message_id=message_id_for(run_id, kind),
            earlier_run_ids=tuple(run.run_id for run in reversed(runs)),
            kind=kind,
        )

    async def _find_unfinished_run(self, session_id: str, run_id: str | None) -> Run:
        runs = await runs_of(self.resources.stores.log, session_id)
        if run_id is not None:
            upto = next((n for n, run in enumerate(runs) if run.run_id == run_id), -1)
            runs = runs[: upto + 1]
        if not runs:
            raise NotFoundError(f"session {session_id!r} has no run to resume.")
        last = runs[-1]
        if last.done:
            raise ConflictError(
                f"the last run of session {session_id!r} is done; nothing to resume."
            )
        return Run(
            run_id=last.run_id,
            session_id=session_id,
            message_id=last.message_id,
            earlier_run_ids=tuple(run.run_id for run in reversed(runs[:-1])),
            kind=last.kind,
        )
