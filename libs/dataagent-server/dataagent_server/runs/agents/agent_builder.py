"""Builds the agent of a session from the settings, the workspace and the assistant of its user."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from dataagent_core.config import ModelOverride, Settings
from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.hitl import HITLHandler
from dataagent_core.models.retry.circuit_breaker import EndpointBreakers
from dataagent_core.patterns import PatternLibrary
from dataagent_core.sandbox.bubblewrap.self_test import SandboxHealth
from dataagent_core.sandbox.workspaces import UserWorkspaceManager
from dataagent_core.skills.source import FixedSkills
from dataagent_core.tools.data.reports.report_store import ReportStore
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_server.agents.compositions.agent_compositions import TenantCompositions
from dataagent_server.agents.credentials.apply_credentials import settings_for
from dataagent_server.agents.credentials.credential_service import CredentialService
from dataagent_server.agents.credentials.model_credential import UsableCredential
from dataagent_server.agents.mcp_servers.mcp_services import MCPServices
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.agents.models.model_service import ModelService
from dataagent_server.agents.skills.tenant_skills import TenantSkills
from dataagent_server.agents.subagents.agent_defaults import (
    TenantAgentConfig,
    delegation_settings,
)
from dataagent_server.agents.subagents.subagent_service import SubAgentService
from dataagent_server.common.ids import TenantId
from dataagent_server.data.data_services import AgentScope, DataServices
from dataagent_server.data.results.result_rows import ResultOwner
from dataagent_server.hitl.websocket_handler import WebSocketHITLHandler
from dataagent_server.identity.users.user_rows import learns_patterns, uses_memory
from dataagent_server.runs.agents.agent_pool import AgentSubject
from dataagent_server.runs.agents.shared_models import SharedModels
from dataagent_server.runs.background_runs import FindRunService, QueuedBackgroundRuns
from dataagent_server.runs.tenant_stores import StoresOf
from dataagent_server.workspaces.agent_workspace import open_for_agent
from dataagent_server.workspaces.store import WorkspaceStore

# (tenant, assistant) -> the assistant's part of the configuration.
AssistantOf = Callable[[TenantId, str], Awaitable[AgentConfig]]


@dataclass(frozen=True, slots=True)
class AgentPlan:
    """What an agent is made from; while it stays equal, the agent can be kept."""

    tenant_id: TenantId
    # Not in the repr: it holds the secrets of MCP servers.
    config: AgentConfig = field(repr=False)
    credentials: tuple[UsableCredential, ...]
    # The tenant's figures of models, by name.
    figures: tuple[tuple[str, ModelOverride], ...]
    asking: AgentScope
    # Sources and results are read anew for each query; a changed semantic model makes another
    # agent.
    model: SemanticModel
    # How deep and how long the tenant's sub-agents work.
    defaults: TenantAgentConfig
    workspace: UserWorkspaceManager = field(compare=False)


@dataclass(frozen=True, slots=True)
class SessionAgentBuilder:
    """Builds an agent for the user of a run."""

    settings: Settings
    stores_of: StoresOf
    find_service: FindRunService
    credentials: CredentialService
    tenant_models: ModelService
    workspaces: WorkspaceStore
    assistant_of: AssistantOf
    subagents: SubAgentService
    data: DataServices
    mcp: MCPServices
    skills: TenantSkills
    # Where the reports of an agent are stored for its user.
    reports_of: Callable[[AgentScope], ReportStore]
    patterns_of: Callable[[TenantId], PatternLibrary]
    memory_of: Callable[[TenantId], TenantMemory]
    models: SharedModels = field(default_factory=SharedModels)
    sandbox_health: SandboxHealth = field(default_factory=SandboxHealth)
    breakers: EndpointBreakers = field(default_factory=EndpointBreakers)

    async def plan(self, run: AgentSubject) -> AgentPlan:
        """Look up the plan of an agent; the user's workspace is created if it is their first."""
        credentials = await self.credentials.credentials_for(run.tenant_id)
        figures = await self.tenant_models.figures_for(run.tenant_id, credentials)
        workspace = await open_for_agent(self.workspaces, run.tenant_id, run.user_id)
        base = await self.assistant_of(run.tenant_id, run.assistant_id)
        mcp_config = None
        if base.enable_mcp:
            mcp_config = await self.mcp.config_for(run.tenant_id, run.user_id, run.project_id)
        compositions = TenantCompositions(self.workspaces.database, run.tenant_id)
        subagents = await self.subagents.load_for_run(run.tenant_id, run.project_id, run.copies_of)
        learns = await self.workspaces.database.read(lambda c: learns_patterns(c, run.user_id))
        memory = self.memory_of(run.tenant_id)
        remembers = await self.workspaces.database.read(lambda c: uses_memory(c, run.user_id))
        config = replace(
            base,
            model=await self.tenant_models.choose_model(
                run.tenant_id, run.project_id, base.model, chosen=run.model
            ),
            tenant_id=run.tenant_id,
            user_id=run.user_id,
            project_id=run.project_id,
            workspace_path=workspace.path,
            mcp_config=mcp_config,
            skills=await self._load_skills(run) if base.enable_skills else None,
            subagents=subagents.subagents,
            compositions=await compositions.list_usable(run.project_id),
            composition_store=compositions,
            patterns=self.patterns_of(run.tenant_id),
            enable_patterns=base.enable_patterns and learns,
            memory=memory.service,
            knowledge_graph=memory.graph,
            enable_memory=base.enable_memory and remembers,
            background_runs=QueuedBackgroundRuns.of(
                self.workspaces.database, self.find_service, run
            ),
        )
        model = await self.data.models.model_for(run.tenant_id, run.project_id)
        whose = ResultOwner(run.tenant_id, run.user_id)
        asking = AgentScope(whose, run.project_id, run.session_id, workspace.workspace_id)
        return AgentPlan(
            run.tenant_id,
            config,
            tuple(credentials),
            tuple(figures.items()),
            asking,
            model,
            subagents.defaults,
            workspace.manager,
        )

    async def _load_skills(self, run: AgentSubject) -> FixedSkills:
        return await self.skills.skills_for(run.tenant_id, run.project_id, run.copies_of)

    @asynccontextmanager
    async def hold(self, plan: AgentPlan) -> AsyncGenerator[None]:
        """Keep the user's MCP connections and the files of skills while the agent is kept."""
        with self.skills.hold(plan.config.skills):
            async with self.mcp.hold(plan.tenant_id, plan.config.user_id or ""):
                yield

    def create_executor(
        self, config: AgentPlan, hitl_handler: HITLHandler | None = None
    ) -> AgentExecutor:
        """Build the agent of a plan; without a handler its requests wait for the API."""
        plan = config
        own = delegation_settings(
            settings_for(self.settings, plan.credentials, dict(plan.figures)), plan.defaults
        )
        factory = AgentFactory(
            own,
            hitl_handler or WebSocketHITLHandler(),
            stores=self.stores_of(plan.tenant_id),
            resolve=self.models.resolve,
            sandbox_health=self.sandbox_health,
            mcp=self.mcp.access,
            breakers=self.breakers,
            # The operator's embedder: a tenant's credentials and address are for its models alone.
            matchers=self.skills.matchers,
            # That file belongs to the operator; tenants have config.toml.
            installation_rules=False,
        )
        access = self.data.access(plan.asking, plan.model)
        data = replace(access, reports=self.reports_of(plan.asking))
        return factory.create_executor(
            replace(plan.config, workspace_manager=plan.workspace, data=data)
        )

    async def aclose(self) -> None:
        """Close the models' connections."""
        await self.models.aclose()
