"""Creates, reads, changes and deletes sub-agents.

Every user of the tenant sees them. Admins change those of the tenant, a project's owner those of
the project: a sub-agent takes part in the runs of everybody there. The built-in ones stay as they
are; a row of the same name replaces one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError
from dataagent_core.ids import new_id
from dataagent_core.models.embeddings import Embedder
from dataagent_core.subagents import SubAgent
from dataagent_core.subagents.route import Route
from dataagent_core.subagents.subagent_matcher import SubAgentMatcher
from dataagent_server.agents.subagents import statistics_rows, subagent_rows
from dataagent_server.agents.subagents.agent_defaults import (
    TenantAgentConfig,
    adapt_built_in,
    define_copy,
    make_subagent,
)
from dataagent_server.agents.subagents.availability import list_possible_tools
from dataagent_server.agents.subagents.limits import STATISTICS_DAYS_MAX, SUBAGENTS_PER_SCOPE_MAX
from dataagent_server.agents.subagents.run_subagent_rows import list_copies
from dataagent_server.agents.subagents.statistics_rows import SubAgentDay
from dataagent_server.agents.subagents.stored_subagent import (
    NO_STATISTICS,
    StoredSubAgent,
    SubAgentDefinition,
    SubAgentStatistics,
)
from dataagent_server.agents.subagents.subagent_check import check_definition, next_version
from dataagent_server.agents.subagents.tiers import ListedSubAgent, list_tiers, list_usable
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.features import list_withheld_tools
from dataagent_server.identity.projects.project_scope import require_in_scope
from dataagent_server.identity.tenants.tenant_rows import find_tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentUse:
    """What a sub-agent used, in all and on its last days."""

    total_tokens: int
    total_cost: float
    by_day: Sequence[SubAgentDay]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSubAgents:
    """The sub-agents of a run, and the defaults of its tenant."""

    subagents: tuple[SubAgent, ...]
    defaults: TenantAgentConfig


@dataclass(frozen=True, slots=True)
class SubAgentService:
    """The sub-agents of the principal's own tenant; `project_id` None means the tenant's."""

    database: Database
    audit: AuditTrail
    built_in: Sequence[SubAgent]
    embedder: Embedder | None = None
    clock: Clock = utc_now

    async def list(self, principal: Principal, project_id: str | None) -> Sequence[ListedSubAgent]:
        """List the built-in ones, the tenant's and the project's."""

        def work(connection: Connection) -> Sequence[ListedSubAgent]:
            _require(connection, principal, "subagent.read", project_id)
            ids = [one.id for one in self.built_in]
            done = statistics_rows.sum_statistics(connection, principal.tenant_id, ids)
            defaults = subagent_rows.read_config(connection, principal.tenant_id)
            return self._list_tiers(connection, principal.tenant_id, project_id, defaults, done)

        return await self.database.read(work)

    async def get(self, principal: Principal, subagent_id: str) -> ListedSubAgent:
        """Return one by its id; the id of a built-in one is its name."""

        def work(connection: Connection) -> ListedSubAgent:
            found = self._find_listed(connection, principal.tenant_id, subagent_id)
            _require(connection, principal, "subagent.read", found.subagent.project_id)
            return found

        return await self.database.read(work)

    async def read_use(
        self, principal: Principal, subagent_id: str
    ) -> tuple[SubAgentStatistics, SubAgentUse]:
        """Return how a sub-agent has done, and what it used; also of one that was deleted."""
        tenant_id = principal.tenant_id

        def work(connection: Connection) -> tuple[SubAgentStatistics, SubAgentUse]:
            statistics = self._find_statistics(connection, principal, subagent_id)
            tokens, cost = statistics_rows.sum_use(connection, tenant_id, subagent_id)
            days = statistics_rows.list_days(
                connection, tenant_id, subagent_id, STATISTICS_DAYS_MAX
            )
            return statistics, SubAgentUse(total_tokens=tokens, total_cost=cost, by_day=days)

        return await self.database.read(work)

    async def match(self, principal: Principal, project_id: str | None, message: str) -> Route:
        """Say who would get a message in a project, without asking a model."""
        listed = await self.list(principal, project_id)
        used = [one.subagent for one in listed if not one.is_overridden]
        tools = list_possible_tools(used, list_withheld_tools(principal.features_off))
        return await SubAgentMatcher(used, self.embedder).route(message, tools=tools)

    async def exists(self, tenant_id: TenantId, subagent_id: str) -> bool:
        """Return whether an id is that of a sub-agent, without a check of rights."""
        if self._find_built_in(subagent_id) is not None:
            return True
        found = await self.database.read(
            lambda c: subagent_rows.find_subagent(c, tenant_id, subagent_id)
        )
        return found is not None

    async def subagents_for(
        self, tenant_id: TenantId, project_id: str | None, copies_of: str | None = None
    ) -> tuple[SubAgent, ...]:
        """Return the sub-agents that a run gets, as `load_for_run` reads them."""
        return (await self.load_for_run(tenant_id, project_id, copies_of)).subagents

    async def load_for_run(
        self, tenant_id: TenantId, project_id: str | None, copies_of: str | None = None
    ) -> RunSubAgents:
        """Read what a run gets; read for each run, so that a change counts at once.

        Those that the run `copies_of` uses are as they were when it first asked for them.
        """

        def work(connection: Connection) -> RunSubAgents:
            defaults = subagent_rows.read_config(connection, tenant_id)
            listed = self._list_tiers(connection, tenant_id, project_id, defaults)
            copies = list_copies(connection, tenant_id, copies_of) if copies_of else {}
            return RunSubAgents(subagents=list_usable(listed, copies), defaults=defaults)

        return await self.database.read(work)

    async def create(
        self, principal: Principal, project_id: str | None, definition: SubAgentDefinition
    ) -> ListedSubAgent:
        """Create a sub-agent; one of a built-in one's name replaces that."""
        checked = self._check(principal, definition)

        def work(connection: Connection) -> ListedSubAgent:
            find_tenant(connection, principal.tenant_id, lock=True)
            _require(connection, principal, "subagent.change", project_id)
            return self._add(connection, principal, project_id, checked)

        return await self.database.write(work)

    async def change(
        self, principal: Principal, subagent_id: str, changes: Mapping[str, Any]
    ) -> ListedSubAgent:
        """Change fields of the definition; without a `version` the last number of it grows.

        Those of the trigger are a mapping of their own.
        """
        self._refuse_built_in(subagent_id)

        def work(connection: Connection) -> ListedSubAgent:
            old = self._lock(connection, principal, subagent_id)
            version = changes.get("version") or old.definition.version
            trigger = replace(old.definition.trigger, **changes.get("trigger", {}))
            given = {**changes, "trigger": trigger, "version": version}
            new = self._check(principal, replace(old.definition, **given))
            if not changes.get("version") and new != old.definition:
                new = replace(new, version=next_version(version))
            return self._change(connection, principal, old, new)

        return await self.database.write(work)

    async def enable(
        self, principal: Principal, subagent_id: str, *, enabled: bool
    ) -> ListedSubAgent:
        """Switch a sub-agent on or off; a built-in one that is off is a copy of the tenant's.

        A copy that says nothing else goes when it is switched on, so that the tenant gets the
        built-in one as it is then.
        """
        tenant_id = principal.tenant_id
        built_in = self._find_built_in(subagent_id)

        def work(connection: Connection) -> ListedSubAgent:
            if built_in is None:
                old = self._lock(connection, principal, subagent_id)
            else:
                # Of two at once, the second one finds what the first one made.
                find_tenant(connection, tenant_id, lock=True)
                _require(connection, principal, "subagent.change", None)
                named = subagent_rows.find_named(connection, tenant_id, None, built_in.name)
                if named is None:
                    if enabled == built_in.enabled:
                        return self._find_listed(connection, tenant_id, subagent_id)
                    copy = define_copy(built_in, enabled=enabled)
                    return self._add(connection, principal, None, copy)
                old = self._lock(connection, principal, named.id)
            new = replace(old.definition, enabled=enabled)
            if self._is_plain_copy(old, new):
                return self._remove_copy(connection, principal, old)
            return self._change(connection, principal, old, new)

        return await self.database.write(work)

    async def delete(self, principal: Principal, subagent_id: str) -> None:
        """Delete a sub-agent; a built-in one that it replaced is used again."""
        self._refuse_built_in(subagent_id)

        def work(connection: Connection) -> None:
            old = self._lock(connection, principal, subagent_id)
            subagent_rows.remove_subagent(connection, principal.tenant_id, subagent_id)
            self._record(connection, principal, "subagent.delete", old, {"name": old.name})

        await self.database.write(work)

    def _check(self, principal: Principal, definition: SubAgentDefinition) -> SubAgentDefinition:
        return check_definition(definition, list_withheld_tools(principal.features_off))

    def _add(
        self,
        connection: Connection,
        principal: Principal,
        project_id: str | None,
        definition: SubAgentDefinition,
    ) -> ListedSubAgent:
        tenant_id, now = principal.tenant_id, self.clock()
        there = subagent_rows.count_subagents(connection, tenant_id, project_id)
        if there >= SUBAGENTS_PER_SCOPE_MAX:
            raise LimitReachedError(
                f"There are the {SUBAGENTS_PER_SCOPE_MAX} sub-agents of a "
                f"{'tenant' if project_id is None else 'project'} already. Delete one first."
            )
        stored = StoredSubAgent(
            id=new_id(),
            project_id=project_id,
            definition=definition,
            is_override=self._find_built_in(definition.name) is not None,
            created_by=principal.user_id,
            created_at=now,
            updated_at=now,
        )
        subagent_rows.add_subagent(connection, tenant_id, stored)
        self._record(connection, principal, "subagent.create", stored, _describe(stored.definition))
        return self._make_listed(connection, tenant_id, stored)

    def _change(
        self,
        connection: Connection,
        principal: Principal,
        old: StoredSubAgent,
        definition: SubAgentDefinition,
    ) -> ListedSubAgent:
        is_override, now = self._find_built_in(definition.name) is not None, self.clock()
        new = replace(old, definition=definition, is_override=is_override, updated_at=now)
        subagent_rows.change_subagent(
            connection, principal.tenant_id, old.id, definition, is_override=is_override, now=now
        )
        self._record(connection, principal, "subagent.change", new, _describe(definition))
        return self._make_listed(connection, principal.tenant_id, new)

    def _is_plain_copy(self, stored: StoredSubAgent, definition: SubAgentDefinition) -> bool:
        """Say whether a row of the tenant would say what the built-in one of its name does."""
        built_in = self._find_built_in(definition.name)
        if built_in is None or stored.project_id is not None:
            return False
        return definition == define_copy(built_in, enabled=built_in.enabled)

    def _remove_copy(
        self, connection: Connection, principal: Principal, copy: StoredSubAgent
    ) -> ListedSubAgent:
        """Use the built-in one again; it has what its copy did in its statistics."""
        tenant_id = principal.tenant_id
        subagent_rows.remove_subagent(connection, tenant_id, copy.id)
        statistics_rows.move_days(connection, tenant_id, copy.id, copy.name)
        self._record(connection, principal, "subagent.delete", copy, {"name": copy.name})
        return self._find_listed(connection, tenant_id, copy.name)

    def _lock(
        self, connection: Connection, principal: Principal, subagent_id: str
    ) -> StoredSubAgent:
        found = subagent_rows.find_subagent(connection, principal.tenant_id, subagent_id)
        if found is None:
            raise _not_found(subagent_id)
        # The project first, as its deletion does.
        _require(connection, principal, "subagent.change", found.project_id)
        locked = subagent_rows.find_subagent(
            connection, principal.tenant_id, subagent_id, locked=True
        )
        if locked is None:
            raise _not_found(subagent_id)
        return locked

    def _list_tiers(
        self,
        connection: Connection,
        tenant_id: TenantId,
        project_id: str | None,
        defaults: TenantAgentConfig,
        statistics: Mapping[str, SubAgentStatistics] | None = None,
    ) -> Sequence[ListedSubAgent]:
        stored = subagent_rows.list_subagents(connection, tenant_id, project_id)
        return list_tiers(tenant_id, self.built_in, stored, defaults, statistics or {})

    def _find_listed(
        self, connection: Connection, tenant_id: TenantId, subagent_id: str
    ) -> ListedSubAgent:
        built_in = self._find_built_in(subagent_id)
        if built_in is None:
            stored = subagent_rows.find_subagent(connection, tenant_id, subagent_id)
            if stored is None:
                raise _not_found(subagent_id)
            return self._make_listed(connection, tenant_id, stored)
        named = subagent_rows.find_named(connection, tenant_id, None, built_in.name)
        defaults = subagent_rows.read_config(connection, tenant_id)
        done = statistics_rows.sum_statistics(connection, tenant_id, [built_in.id])
        return ListedSubAgent(
            subagent=adapt_built_in(built_in, defaults),
            stored=None,
            is_overridden=named is not None,
            statistics=done.get(built_in.id, NO_STATISTICS),
        )

    def _find_statistics(
        self, connection: Connection, principal: Principal, subagent_id: str
    ) -> SubAgentStatistics:
        tenant_id = principal.tenant_id
        stored = subagent_rows.find_subagent(connection, tenant_id, subagent_id)
        _require(connection, principal, "subagent.read", stored and stored.project_id)
        if stored is not None:
            return stored.statistics
        done = statistics_rows.sum_statistics(connection, tenant_id, [subagent_id])
        # Every agent has it, and no tenant has a row of it.
        is_there = subagent_id == GENERAL_PURPOSE or self._find_built_in(subagent_id) is not None
        if subagent_id not in done and not is_there:
            raise _not_found(subagent_id)
        return done.get(subagent_id, NO_STATISTICS)

    def _make_listed(
        self, connection: Connection, tenant_id: TenantId, stored: StoredSubAgent
    ) -> ListedSubAgent:
        defaults = subagent_rows.read_config(connection, tenant_id)
        return ListedSubAgent(
            subagent=make_subagent(tenant_id, stored, defaults),
            stored=stored,
            statistics=stored.statistics,
        )

    def _find_built_in(self, name: str) -> SubAgent | None:
        return next((one for one in self.built_in if one.name == name), None)

    def _refuse_built_in(self, subagent_id: str) -> None:
        if self._find_built_in(subagent_id) is not None:
            raise ConflictError(
                f"The sub-agent {subagent_id!r} is built in and stays as it is. Create one of the "
                "same name, which replaces it."
            )

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        stored: StoredSubAgent,
        detail: dict[str, Any],
    ) -> None:
        detail = {"project_id": stored.project_id, **detail}
        named = f"subagent:{stored.id}"
        self.audit.record(connection, principal.tenant_id, principal.actor, action, named, detail)


def _describe(definition: SubAgentDefinition) -> dict[str, Any]:
    return {
        "name": definition.name,
        "version": definition.version,
        "enabled": definition.enabled,
        "model": definition.model,
        "allowed_tools": definition.allowed_tools,
        "allowed_skills": definition.allowed_skills,
        "allowed_mcp_servers": definition.allowed_mcp_servers,
        "rules": [str(rule) for rule in definition.rules],
    }


def _require(
    connection: Connection, principal: Principal, action: Action, project_id: str | None
) -> None:
    """Raise unless the principal may, in a scope that exists."""
    require_in_scope(connection, principal, action, "subagent", project_id, shared=True)


def _not_found(subagent_id: str) -> NotFoundError:
    return NotFoundError(f"There is no sub-agent {subagent_id[:80]!r}.")
