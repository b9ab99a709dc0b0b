"""Builds the agent of a session: whose settings, whose workspace, which assistant."""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from dataagent_core.config import Settings
from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.sandbox.quota import WorkspaceQuota
from dataagent_core.sandbox.selftest import SandboxHealth
from dataagent_server.credentials.apply import settings_for
from dataagent_server.credentials.model import UsableCredential
from dataagent_server.credentials.service import CredentialService
from dataagent_server.ids import TenantId
from dataagent_server.runs.model import RunRow
from dataagent_server.runs.models import SharedModels
from dataagent_server.runs.nobody import NobodyHere
from dataagent_server.runs.stores import StoresOf
from dataagent_server.workspaces.agent import open_for_agent
from dataagent_server.workspaces.store import WorkspaceStore

# (tenant, assistant) -> what the assistant adds to the configuration.
AssistantOf = Callable[[TenantId, str], Awaitable[AgentConfig]]


@dataclass(frozen=True, slots=True)
class AgentPlan:
    """What an agent is made from; while it stays equal, the agent can be kept."""

    tenant_id: TenantId
    config: AgentConfig
    credentials: tuple[UsableCredential, ...]
    quota: WorkspaceQuota = field(compare=False)


@dataclass(frozen=True, slots=True)
class SessionAgentBuilder:
    """Puts an agent together for the person a run belongs to."""

    settings: Settings
    stores_of: StoresOf
    credentials: CredentialService
    workspaces: WorkspaceStore
    assistant_of: AssistantOf
    models: SharedModels = field(default_factory=SharedModels)
    sandbox_health: SandboxHealth = field(default_factory=SandboxHealth)

    async def plan(self, run: RunRow) -> AgentPlan:
        """Look up what the agent is to be; the person's workspace is made if it is their first."""
        credentials = await self.credentials.credentials_for(run.tenant_id)
        workspace = await open_for_agent(self.workspaces, run.tenant_id, run.user_id)
        config = replace(
            await self.assistant_of(run.tenant_id, run.assistant_id),
            tenant_id=run.tenant_id,
            user_id=run.user_id,
            workspace_path=workspace.path,
            run_as=workspace.run_as,
        )
        return AgentPlan(run.tenant_id, config, tuple(credentials), workspace.quota)

    def build(self, plan: AgentPlan) -> AgentExecutor:
        """Build it."""
        own = settings_for(self.settings, plan.credentials)
        # What an agent keeps beside its workspace is one person's: notes, skills, kept output.
        home = person_home(self.settings.home, plan.tenant_id, plan.config.user_id or "")
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        factory = AgentFactory(
            own.model_copy(update={"home": home}),
            NobodyHere(),
            stores=self.stores_of(plan.tenant_id),
            resolve=self.models.resolve,
            sandbox_health=self.sandbox_health,
        )
        return factory.create_executor(replace(plan.config, quota=plan.quota))


def person_home(home: Path, tenant_id: TenantId, user_id: str) -> Path:
    """Name the folder of one person by a digest: ids are other people's words, not file names."""
    digest = hashlib.sha256(f"{tenant_id}\0{user_id}".encode()).hexdigest()
    return home / "people" / digest[:32]
