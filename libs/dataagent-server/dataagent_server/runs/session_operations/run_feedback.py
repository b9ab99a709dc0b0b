"""What people say of a finished run: stored in its session's log, and learned from at once.

Who may see a run may rate it. What cannot be learned from, or by whom it is not wanted, is stored
all the same.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from dataagent_core.engine.loops.learn_run import learn_feedback
from dataagent_core.errors import (
    ConflictError,
    DataAgentError,
    LimitReachedError,
    ValidationError,
)
from dataagent_core.events import Event, FeedbackEvent
from dataagent_core.events.feedback import Rating
from dataagent_core.patterns import LearningSwitches, PatternLibrary
from dataagent_core.planning.plan_terms import read_message_planning
from dataagent_core.session import read_all
from dataagent_core.session.feedback import last_feedback
from dataagent_core.session.log import NO_RUN
from dataagent_core.session.prompt import own_words
from dataagent_core.session.stores.sql.event_appends import Append, prepare_event
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.identity.users.user_rows import learns_patterns
from dataagent_server.runs.run_row import RunRow
from dataagent_server.runs.run_services import RunServices
from dataagent_server.sessions.session_rows import hold_session
from dataagent_server.sessions.session_service import SessionService
from dataagent_server.stores.appends import commit_appends

logger = logging.getLogger(__name__)

# Each change of mind is an event; those of one run, of everybody together.
FEEDBACK_PER_RUN_MAX: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFeedback:
    """Thumbs and corrections on the runs of the principal's own tenant."""

    database: Database
    sessions: SessionService
    runs: RunServices
    patterns_of: Callable[[TenantId], PatternLibrary]
    # Whether the operator lets anything be learned.
    is_enabled: bool

    async def list(self, principal: Principal, run_id: str) -> Sequence[FeedbackEvent]:
        """Return the last feedback of each person on a run."""
        run = await self.runs.service.run(principal, run_id)
        return last_feedback(await self._read(run), run_id)

    async def give(
        self, principal: Principal, run_id: str, *, rating: Rating, correction: str
    ) -> Sequence[FeedbackEvent]:
        """Store what a person says of a finished run, learn from it, and return what counts now."""
        run = await self.runs.service.run(principal, run_id, "run.rate")
        _require_rateable(run)
        said = await self._read(run)
        mine = [one for one in last_feedback(said, run_id) if one.by == principal.user_id]
        before = (mine[0].rating, mine[0].correction) if mine else ("", "")
        if before != (rating, correction):
            if sum(one.target_run_id == run_id for one in said) >= FEEDBACK_PER_RUN_MAX:
                raise LimitReachedError(
                    f"The run {run_id} has its {FEEDBACK_PER_RUN_MAX} pieces of feedback."
                )
            given = FeedbackEvent(
                rating=rating, correction=correction, target_run_id=run_id, by=principal.user_id
            )
            stored = await self.database.write(lambda c: _append(c, run, given))
            self.runs.hub.publish(run.tenant_id, run.session_id, stored)
        # Also when it was said before: learning from it may have failed then.
        await self._learn(principal, run)
        return last_feedback(await self._read(run), run_id)

    async def _read(self, run: RunRow) -> Sequence[FeedbackEvent]:
        log = self.runs.stores_of(run.tenant_id).log
        events = await read_all(log, run.session_id, types=("feedback",))
        return [event for event in events if isinstance(event, FeedbackEvent)]

    async def _learn(self, principal: Principal, run: RunRow) -> None:
        """Learn from the run again; that it fails is no matter of who rates it."""
        try:
            switches = await self._find_switches(principal, run)
            await learn_feedback(
                self.patterns_of(run.tenant_id),
                self.runs.stores_of(run.tenant_id).log,
                run.session_id,
                run.run_id,
                goal=own_words(run.text, run.context or {}),
                user_id=principal.user_id,
                switches=switches,
            )
        except DataAgentError:
            logger.exception("the feedback on run %s was not learned from", run.run_id)

    async def _find_switches(self, principal: Principal, run: RunRow) -> LearningSwitches:
        session = await self.sessions.get(principal, run.session_id)
        wanted = read_message_planning(run.context).learn
        return LearningSwitches(
            tenant=self.is_enabled and "patterns" not in principal.features_off,
            user=await self.database.read(lambda c: learns_patterns(c, run.user_id)),
            session=session.enable_workflow_learning if wanted is None else wanted,
        )


def _require_rateable(run: RunRow) -> None:
    if run.kind != "message":
        raise ValidationError(f"The run {run.run_id} is of no message: rate another.")
    if not run.over:
        raise ConflictError(f"The run {run.run_id} is not finished: wait for its end, or stop it.")


def _append(connection: Connection, run: RunRow, given: FeedbackEvent) -> Sequence[Event]:
    # Locked, so that the session is not deleted before its log has the event.
    hold_session(connection, run.tenant_id, run.session_id)
    ready = prepare_event(given, run.session_id, NO_RUN)
    item = Append(tenant_id=run.tenant_id, session_id=run.session_id, run_id=NO_RUN, events=[ready])
    (stored,) = commit_appends(connection, [item], check_known=True)
    if isinstance(stored, Exception):
        raise stored
    return stored
