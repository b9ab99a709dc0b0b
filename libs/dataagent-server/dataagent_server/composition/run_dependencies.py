"""Makes what runs need of the other services: mainly how the agent of a session is built."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from dataagent_core.engine import AgentConfig
from dataagent_core.patterns import PatternLibrary
from dataagent_core.tools.web.web_policy import make_web_policy
from dataagent_server.agents.assistants.assistant_service import AssistantService
from dataagent_server.agents.credentials.model_guard import ModelGuard
from dataagent_server.agents.mcp_servers.mcp_services import MCPServices
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.agents.skills.skill_services import SkillServices
from dataagent_server.agents.subagents.subagent_service import SubAgentService
from dataagent_server.common.ids import TenantId
from dataagent_server.composition.runs import RunDependencies
from dataagent_server.composition.services import PeopleServices
from dataagent_server.data.data_services import AgentScope, DataServices
from dataagent_server.data.reports.session_reports import SessionReports
from dataagent_server.identity.auth.features import list_withheld_tools
from dataagent_server.runs.agents.agent_builder import SessionAgentBuilder
from dataagent_server.runs.agents.guarded_models import GuardedModels
from dataagent_server.runs.background_runs import FindRunService
from dataagent_server.runs.run_capacity import RunLimits
from dataagent_server.runs.tenant_stores import StoresOf
from dataagent_server.sessions.live.bus.choose_bus import choose_bus
from dataagent_server.settings import ServerSettings
from dataagent_server.stores.factory import session_stores

if TYPE_CHECKING:
    from redis.asyncio import Redis


def make_run_dependencies(
    settings: ServerSettings,
    people: PeopleServices,
    assistants: AssistantService,
    *,
    subagents: SubAgentService,
    data: DataServices,
    mcp: MCPServices,
    skills: SkillServices,
    patterns_of: Callable[[TenantId], PatternLibrary],
    memory_of: Callable[[TenantId], TenantMemory],
    redis: "Redis | None",
) -> RunDependencies:
    """Make what runs need; nothing is opened."""
    database = data.workspaces.database

    async def config_of(tenant_id: TenantId, assistant_id: str) -> AgentConfig:
        config = await assistants.config_of(tenant_id, assistant_id)
        off = await people.tenants.features_off(tenant_id)
        return replace(
            config,
            withheld_tools=list_withheld_tools(off),
            enable_patterns=config.enable_patterns and "patterns" not in off,
            enable_memory=config.enable_memory and "memory" not in off,
        )

    def reports_of(asking: AgentScope) -> SessionReports:
        return SessionReports(
            database, people.audit, asking.whose, asking.project_id, asking.session_id
        )

    def builder(stores_of: StoresOf, find_service: FindRunService) -> SessionAgentBuilder:
        models = GuardedModels(settings, ModelGuard(make_web_policy(settings)))
        return SessionAgentBuilder(
            settings,
            stores_of,
            find_service,
            people.credentials,
            people.models,
            data.workspaces,
            config_of,
            subagents,
            data,
            mcp,
            skills.sets,
            reports_of,
            models=models,
            patterns_of=patterns_of,
            memory_of=memory_of,
        )

    return RunDependencies(
        settings=settings,
        database=database,
        audit=people.audit,
        bus=choose_bus(database, settings.redis_url),
        limits=RunLimits(settings.max_runs_per_tenant, settings.max_queued_per_session),
        approval_timeout_s=settings.approval_timeout,
        lease_s=settings.lease_timeout,
        # Connections get half of the time; closing agents needs some of the rest.
        drain_s=settings.stop_timeout / 4,
        instances_dir=settings.home / "instances",
        builder=builder,
        session_store_of=session_stores(settings.session_store, database, redis),
        agent_idle_s=settings.session_timeout,
    )
