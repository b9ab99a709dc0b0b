"""Works on one claimed run until it is over, waits, or cannot go on.

Core runs the agent (`engine/executor.py`); this module passes its events on and updates the run's
row.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from dataagent_core.errors import DataAgentError, StorageError
from dataagent_core.events import DoneEvent, ErrorEvent, Event, RunStartedEvent
from dataagent_core.permissions import RunTerms
from dataagent_core.session import runs_of
from dataagent_core.session.mode import mode_of
from dataagent_core.session.stores.bundle import Stores
from dataagent_server.agents.rules.rule_service import RuleService
from dataagent_server.common.host_paths import hide_host_paths
from dataagent_server.db.database import Database
from dataagent_server.runs import transitions
from dataagent_server.runs.agents.agent_pool import AgentPool
from dataagent_server.runs.run_row import RunRow
from dataagent_server.runs.tenant_stores import StoresOf
from dataagent_server.runs.worker.faults import FaultCounter, refuse_deadly
from dataagent_server.sessions.live.hub import Hub

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Worker:
    """Works on runs that this process holds."""

    database: Database
    agents: AgentPool
    hub: Hub
    stores_of: StoresOf
    faults: FaultCounter
    rules: RuleService
    # The folder of this server's files.
    home: str

    async def work(self, run: RunRow, cancel: asyncio.Event) -> bool:
        """Work on a run; `False` means that a fault of the server stopped it: to be tried again."""
        try:
            return await self._run_segment(run, cancel)
        except StorageError as error:
            logger.warning("run %s cannot be left as it is: %s", run.run_id, error)
        except Exception:
            logger.exception("run %s cannot be ended", run.run_id)
        return False

    async def _run_segment(self, run: RunRow, cancel: asyncio.Event) -> bool:
        try:
            refuse_deadly(run)
            self.faults.refuse_hopeless(run.run_id)
            last = await self._follow(run, cancel)
        except StorageError as error:
            logger.warning("run %s stopped: %s", run.run_id, error)
            return False
        except DataAgentError as error:
            await self._fail(run, error)
            return True
        except Exception as error:
            logger.exception("run %s failed", run.run_id)
            await self._fail(run, error)
            return True
        if isinstance(last, ErrorEvent):
            # The log could not be written: the last event is an error and no `done`.
            logger.warning("run %s stopped: %s", run.run_id, last.error)
            return False
        if not isinstance(last, DoneEvent):
            await self.database.write(lambda c: transitions.rest(c, run))
        return True

    async def _follow(self, run: RunRow, cancel: asyncio.Event) -> Event | None:
        """Start or resume the agent, and pass its events on; return the last one."""
        log = self.stores_of(run.tenant_id).log
        begun = any(known.run_id == run.run_id for known in await runs_of(log, run.session_id))
        last: Event | None = None
        # Read anew each time: the user may have deleted a rule since.
        kept = await self.rules.rules_for(run.tenant_id, run.user_id, run.project_id)
        terms = RunTerms(kept_rules=kept)
        async with self.agents.lend(run) as executor:
            if begun:
                events = executor.resume(run.session_id, cancel, run_id=run.run_id, terms=terms)
            elif run.kind == "compaction":
                events = executor.compact(
                    run.session_id, run.text, cancel, run_id=run.run_id, terms=terms
                )
            else:
                events = executor.execute(
                    run.text, run.session_id, run.context, cancel, run_id=run.run_id, terms=terms
                )
            async with aclosing(events):
                async for event in events:
                    self.hub.publish(run.tenant_id, run.session_id, [event])
                    last = event
        return last

    async def _fail(self, run: RunRow, error: Exception) -> None:
        """End a run whose agent cannot be built or refuses it."""
        stores = self.stores_of(run.tenant_id)
        events = await end_failed(stores, run, error, self.home)
        self.hub.publish(run.tenant_id, run.session_id, events)


async def end_failed(stores: Stores, run: RunRow, error: Exception, home: str) -> Sequence[Event]:
    """Write an error and `done`, after a `start` if there was none, so that no client waits.

    The user message is stored too: an agent that never began did not do it. `home` is the folder of
    this server's files, which is not shown.
    """
    if run.text:
        # With its context, which says whose words it holds.
        await stores.messages.save_message(
            run.session_id, "user", run.text, run.context, message_id=run.message_id
        )
    if isinstance(error, DataAgentError):
        message = hide_host_paths(str(error), home)
        error_event = ErrorEvent(error=message, code=error.code, recoverable=error.recoverable)
    else:
        # An unexpected error may hold anything; the server's log has it in full.
        error_event = ErrorEvent(
            error="an unexpected fault of the server", code="INTERNAL", recoverable=False
        )
    begun = any(known.run_id == run.run_id for known in await runs_of(stores.log, run.session_id))
    start = RunStartedEvent(
        message_id=run.message_id,
        model="",
        assistant_id=run.assistant_id,
        mode=await mode_of(stores.log, run.session_id),
    )
    # The run was cancelled, so it ends as cancelled.
    cancelled = DoneEvent(cancelled=True, reason="user_cancelled")
    events: list[Event] = [
        *([] if begun else [start]),
        error_event,
        cancelled if run.cancel_requested else DoneEvent(reason="error"),
    ]
    return await stores.log.append(run.session_id, run.run_id, events)
