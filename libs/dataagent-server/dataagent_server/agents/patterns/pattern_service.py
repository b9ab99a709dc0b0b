"""Shows, makes, changes and deletes the patterns of the principal's own tenant (S2 §6.5.8).

People see and change their own patterns, admins all; what is in use everybody may look at. Another
person's pattern that is not in use answers like one that never was: its id says what was done.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from dataagent_core.patterns import (
    InteractionPattern,
    PatternLibrary,
    PatternState,
    PatternTerms,
)
from dataagent_core.patterns.lifecycle import with_state
from dataagent_core.patterns.scrub import scrub
from dataagent_core.patterns.sql import SqlPatternStore
from dataagent_server.agents.patterns import offer_rows, pattern_rows
from dataagent_server.agents.patterns.pattern_record import (
    NewPattern,
    PatternChange,
    PatternDetail,
    PatternRun,
    is_in_use,
    make_pattern,
    require_name,
)
from dataagent_server.agents.patterns.pattern_rows import RunOfPattern
from dataagent_server.agents.patterns.pattern_store import open_pattern_store
from dataagent_server.agents.patterns.pattern_writes import PatternWrites
from dataagent_server.common.pagination import ItemPage, PageRequest
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal, Resource, may, require
from dataagent_server.identity.auth.clock import Clock, utc_now


@dataclass(frozen=True, slots=True)
class PatternService:
    """The patterns of the principal's own tenant."""

    database: Database
    audit: AuditTrail
    terms: PatternTerms
    clock: Clock = utc_now

    async def list(
        self,
        principal: Principal,
        page_request: PageRequest,
        *,
        state: PatternState | None = None,
        mine: bool = False,
    ) -> ItemPage[InteractionPattern]:
        """List patterns in their states of this moment, the last changed first."""
        require(principal, "pattern.read", _resource(principal, owner_id=principal.user_id))
        now = self.clock()

        def is_shown(pattern: InteractionPattern) -> bool:
            is_wanted = state is None or with_state(pattern, now, self.terms).state == state
            return is_wanted and self.may(principal, "pattern.read", pattern)

        page = await self.database.read(
            lambda c: pattern_rows.list_page(
                c,
                principal.tenant_id,
                principal.user_id if mine else None,
                page_request,
                is_shown,
            )
        )
        return ItemPage([with_state(one, now, self.terms) for one in page.items], page.next)

    async def get(
        self, principal: Principal, pattern_id: str, action: Action = "pattern.read"
    ) -> InteractionPattern:
        """Return a pattern to a principal who may do `action` with it."""
        store = open_pattern_store(self.database, principal.tenant_id)
        found = await store.get(pattern_id)
        if found is None or not self.may(principal, "pattern.read", found):
            raise pattern_rows.not_found(pattern_id)
        require(principal, action, self._resource_of(principal, found))
        return with_state(found, self.clock(), self.terms)

    async def show(self, principal: Principal, pattern_id: str) -> PatternDetail:
        """Return a pattern with the runs it remembers."""
        pattern = await self.get(principal, pattern_id)
        ids = {run.run_id for run in pattern.recent_runs}
        runs = await self.database.read(
            lambda c: pattern_rows.find_runs(c, principal.tenant_id, principal.user_id, ids)
        )
        return PatternDetail(pattern=pattern, runs=_list_runs(principal, pattern, runs))

    async def create(self, principal: Principal, new: NewPattern) -> InteractionPattern:
        """Store the pattern an admin wrote; one of the same task is a conflict."""
        require(principal, "pattern.create", _resource(principal, owner_id=principal.user_id))
        made = make_pattern(new, principal, self.clock())
        store = self.open_writes(principal, "pattern.create", made)
        return await store.add(made)

    async def change(
        self, principal: Principal, pattern_id: str, change: PatternChange
    ) -> InteractionPattern:
        """Change what is given, if nobody has changed the pattern since it was looked at."""
        known = await self.get(principal, pattern_id, "pattern.change")
        if change.name is not None:
            require_name(scrub(change.name))
        library = PatternLibrary(
            self.open_writes(principal, "pattern.change", known),
            principal.tenant_id,
            terms=self.terms,
            clock=self.clock,
        )
        changed = await library.edit(
            pattern_id,
            change.version,
            name=change.name,
            description=change.description,
            steps=change.steps,
            user_id=principal.user_id,
        )
        return with_state(changed, self.clock(), self.terms)

    async def delete(
        self, principal: Principal, pattern_id: str, *, is_useless: bool = False
    ) -> None:
        """Delete a pattern and what of it was offered to other tenants, at once."""
        known = await self.get(principal, pattern_id, "pattern.delete")
        audited = "pattern.useless" if is_useless else "pattern.delete"
        if not await self.open_writes(principal, audited, known).delete(pattern_id):
            raise pattern_rows.not_found(pattern_id)

    def open_writes(
        self, principal: Principal, audited: str, pattern: InteractionPattern
    ) -> SqlPatternStore:
        """Open the patterns for one change, which is audited in its transaction."""

        def record(connection: Connection) -> None:
            if audited in {"pattern.delete", "pattern.useless"}:
                offer_rows.remove_of_pattern(connection, principal.tenant_id, pattern.id)
            self.audit.record(
                connection, principal.tenant_id, principal.actor, audited,
                f"pattern:{pattern.id}", {"name": pattern.name, "owner": pattern.user_id},
            )  # fmt: skip

        return SqlPatternStore(PatternWrites(self.database, after=record), principal.tenant_id)

    def may(self, principal: Principal, action: Action, pattern: InteractionPattern) -> bool:
        """Say whether a principal may do an action with a pattern."""
        return may(principal, action, self._resource_of(principal, pattern))

    def _resource_of(self, principal: Principal, pattern: InteractionPattern) -> Resource:
        shared = is_in_use(pattern, self.clock(), self.terms)
        return _resource(principal, owner_id=pattern.user_id, shared=shared)


def may_read_run(principal: Principal, run: RunOfPattern) -> bool:
    """Say whether a principal may see a run that a pattern was learned from."""
    resource = Resource(principal.tenant_id, "run", owner_id=run.user_id, shared=run.is_shared)
    return may(principal, "session.read", resource)


def _list_runs(
    principal: Principal, pattern: InteractionPattern, found: dict[str, RunOfPattern]
) -> Sequence[PatternRun]:
    listed: list[PatternRun] = []
    successes = 0
    for number, learned in enumerate(pattern.recent_runs, start=1):
        successes += learned.success
        run = found.get(learned.run_id)
        is_visible = run is not None and may_read_run(principal, run)
        listed.append(
            PatternRun(
                run_id=learned.run_id if is_visible else None,
                session_id=run.session_id if run is not None and is_visible else None,
                success=learned.success,
                at=learned.at,
                worked_by_it=run is not None and run.pattern_id == pattern.id,
                rate=successes / number,
            )
        )
    return listed


def _resource(principal: Principal, *, owner_id: str, shared: bool = False) -> Resource:
    return Resource(principal.tenant_id, "pattern", owner_id=owner_id, shared=shared)
