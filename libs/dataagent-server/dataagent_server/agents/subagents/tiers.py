"""Which sub-agents there are for a project: built-in < tenant < project, by name. Pure.

A nearer one of the same name replaces the others, also when it is switched off: so a tenant can
switch off a built-in one, and a project one of the tenant.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dataagent_core.subagents import SubAgent
from dataagent_server.agents.subagents.agent_defaults import (
    INHERITED,
    TenantAgentConfig,
    adapt_built_in,
    make_subagent,
)
from dataagent_server.agents.subagents.stored_subagent import (
    NO_STATISTICS,
    StoredSubAgent,
    SubAgentStatistics,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSubAgent:
    """A sub-agent as runs get it, and where it comes from."""

    subagent: SubAgent
    # None: built in.
    stored: StoredSubAgent | None
    # Whether a nearer one of its name is used instead.
    is_overridden: bool = False
    statistics: SubAgentStatistics = NO_STATISTICS

    @property
    def inherited(self) -> tuple[str, ...]:
        """The fields whose values are defaults: the tenant's, or the server's."""
        if self.stored is None:
            return ()
        return tuple(name for name in INHERITED if getattr(self.stored.definition, name) is None)


def list_tiers(
    tenant_id: str,
    built_in: Sequence[SubAgent],
    stored: Sequence[StoredSubAgent],
    defaults: TenantAgentConfig,
    statistics: Mapping[str, SubAgentStatistics],
) -> list[ListedSubAgent]:
    """List all of them: the built-in ones with these statistics, the tenant's, the project's."""
    tenants = [row for row in stored if row.project_id is None]
    projects = [row for row in stored if row.project_id is not None]
    in_project = {row.name for row in projects}
    nearer = in_project | {row.name for row in tenants}
    return [
        *(
            ListedSubAgent(
                subagent=adapt_built_in(one, defaults),
                stored=None,
                is_overridden=one.name in nearer,
                statistics=statistics.get(one.id, NO_STATISTICS),
            )
            for one in built_in
        ),
        *(
            ListedSubAgent(
                subagent=make_subagent(tenant_id, row, defaults),
                stored=row,
                is_overridden=row.name in in_project,
                statistics=row.statistics,
            )
            for row in tenants
        ),
        *(
            ListedSubAgent(
                subagent=make_subagent(tenant_id, row, defaults),
                stored=row,
                statistics=row.statistics,
            )
            for row in projects
        ),
    ]


def list_usable(
    listed: Sequence[ListedSubAgent], copies: Mapping[str, SubAgent | None] | None = None
) -> tuple[SubAgent, ...]:
    """List those a run gets, one of each name, by name.

    `copies` are those it uses already, by their ids: they count whatever there is now. One that is
    None is built in.
    """
    used = {
        one.subagent.name: one.subagent
        for one in listed
        if not one.is_overridden and one.subagent.enabled
    }
    built_in = {one.subagent.id: one.subagent for one in listed if one.stored is None}
    for agent_id, copy in (copies or {}).items():
        subagent = copy or built_in.get(agent_id)
        if subagent is not None:
            # It may have been switched off between the plan of the run and its first task.
            used[subagent.name] = replace(subagent, enabled=True)
    return tuple(used[name] for name in sorted(used))
