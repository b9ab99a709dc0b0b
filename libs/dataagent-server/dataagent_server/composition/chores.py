"""The periodic work of a running server: sweeps, retention, and the check for tenants."""

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

from sqlalchemy import select

from dataagent_core.config.limits import USAGE_RUNS_KEPT_DAYS
from dataagent_core.session.state import now
from dataagent_core.usage.budget import day_of
from dataagent_server.agents.mcp_servers.sign_in.flows import (
    remove_expired as remove_expired_sign_ins,
)
from dataagent_server.agents.skills.orphans import remove_orphans
from dataagent_server.agents.skills.skill_services import SkillServices
from dataagent_server.common.ids import TenantId
from dataagent_server.composition.memory import MemoryServices
from dataagent_server.composition.services import ReportServices, WorkspaceServices
from dataagent_server.data.results.sweep_results import sweep_results
from dataagent_server.db.database import Database
from dataagent_server.db.tables.people import tenants
from dataagent_server.identity.auth.logins import remove_expired
from dataagent_server.runs.agents.kept_outputs import tidy_kept_outputs
from dataagent_server.runs.background import every
from dataagent_server.runs.run_services import RunServices
from dataagent_server.runs.session_operations.session_remover import SessionRemover
from dataagent_server.sessions.live.fair_share import FairShare
from dataagent_server.settings import ServerSettings
from dataagent_server.settings.limits import (
    CHECKPOINTS_KEPT,
    EPISODES_S,
    SWEEP_S,
    TENANTS_LOOKED_AT_S,
    TIDY_S,
)
from dataagent_server.stores.removal import finish_removals
from dataagent_server.stores.retention import forget_checkpoints
from dataagent_server.stores.usage import tenants_with_use
from dataagent_server.workspaces.sweep import sweep


def list_chores(
    settings: ServerSettings,
    database: Database,
    *,
    skills: SkillServices,
    workspaces: WorkspaceServices,
    runs: RunServices,
    reports: ReportServices,
    memory: MemoryServices,
    remover: SessionRemover,
    share: FairShare,
) -> list[Coroutine[Any, Any, None]]:
    """List the chores of one process; each repeats until it is cancelled."""

    async def forget_old_checkpoints() -> None:
        await forget_checkpoints(database, runs.checkpoints, now() - CHECKPOINTS_KEPT)

    async def roll_up_usage() -> None:
        before = day_of(now() - timedelta(days=USAGE_RUNS_KEPT_DAYS))
        for tenant_id in await tenants_with_use(database, before):
            await runs.stores_of(TenantId(tenant_id)).usage.roll_up(before)

    chores: list[Coroutine[Any, Any, None]] = [
        every(SWEEP_S, lambda: sweep(workspaces.store)),
        every(SWEEP_S, lambda: sweep_results(database, settings.home)),
        every(SWEEP_S, reports.service.runner.sweep),
        every(reports.clockwork.look_s, reports.clockwork.run_due),
        every(TIDY_S, lambda: database.write(lambda c: remove_expired(c, now()))),
        every(TIDY_S, lambda: database.write(lambda c: remove_expired_sign_ins(c, now()))),
        every(TIDY_S, forget_old_checkpoints),
        every(TIDY_S, roll_up_usage),
        every(TIDY_S, lambda: asyncio.to_thread(tidy_kept_outputs, settings.home)),
        every(SWEEP_S, lambda: asyncio.to_thread(skills.sets.folders.sweep)),
        every(TIDY_S, lambda: remove_orphans(database)),
        every(SWEEP_S, lambda: finish_removals(database)),
        every(SWEEP_S, memory.remover.remove_orphans),
        every(EPISODES_S, memory.upkeep.process_episodes),
        every(SWEEP_S, memory.upkeep.reembed),
        every(SWEEP_S, memory.upkeep.tidy),
        every(TENANTS_LOOKED_AT_S, lambda: check_tenants(database, share)),
    ]
    if settings.session_retention_days is not None:
        kept = timedelta(days=settings.session_retention_days)
        chores.append(every(TIDY_S, lambda: remover.remove_idle(now() - kept)))
    if settings.session_store == "memory":
        chores.append(every(SWEEP_S, remover.remove_lost))
    return chores


async def check_tenants(database: Database, share: FairShare) -> None:
    """Check whether there are several tenants, so that each leaves capacity for others."""
    second = select(tenants.c.tenant_id).where(tenants.c.is_active).offset(1).limit(1)
    share.alone = await database.read(lambda c: c.execute(second).first()) is None
