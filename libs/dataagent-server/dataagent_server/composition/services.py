"""The services of the composition root, by area, and the edges that tests replace."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from argon2 import PasswordHasher

from dataagent_core.config.limits.mcp import MCP_SERVERS_USED_MAX
from dataagent_core.mcp.connections import ConnectionLimits
from dataagent_core.secrets import Cipher, Keyring
from dataagent_core.tools.web.web_transport import Resolver, resolve_by_system
from dataagent_server.agents.assistants.assistant_service import AssistantService
from dataagent_server.agents.compositions.composition_service import CompositionService
from dataagent_server.agents.credentials.credential_service import CredentialService
from dataagent_server.agents.mcp_servers.mcp_services import MCPServices
from dataagent_server.agents.memory.memory_remover import MemoryRemover
from dataagent_server.agents.memory.personal_graph import PersonalGraph
from dataagent_server.agents.memory.personal_memories import PersonalMemories
from dataagent_server.agents.models.model_service import ModelService
from dataagent_server.agents.patterns.pattern_service import PatternService
from dataagent_server.agents.patterns.pattern_shares import PatternSharing
from dataagent_server.agents.patterns.workflow_service import WorkflowService
from dataagent_server.agents.skills.skill_services import SkillServices
from dataagent_server.agents.subagents.agent_config_service import AgentConfigService
from dataagent_server.agents.subagents.subagent_service import SubAgentService
from dataagent_server.common.metrics import Metrics
from dataagent_server.composition.readiness import Check
from dataagent_server.data.data_services import DataServices
from dataagent_server.data.reports.report_service import ReportService
from dataagent_server.data.reports.schedule_service import ScheduleService
from dataagent_server.data.reports.scheduler import ReportScheduler
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth.authenticator import Authenticator
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.projects.project_service import ProjectService
from dataagent_server.identity.tenants.audit_log import AuditReader
from dataagent_server.identity.tenants.member_service import MemberService
from dataagent_server.identity.tenants.tenant_service import TenantService
from dataagent_server.identity.users.key_service import KeyService
from dataagent_server.identity.users.sign_in_service import SignInService
from dataagent_server.identity.users.user_service import UserService
from dataagent_server.runs.agents.model_tester import ModelTester
from dataagent_server.runs.run_services import RunServices
from dataagent_server.runs.session_operations.plan_editor import PlanEditor
from dataagent_server.runs.session_operations.run_feedback import RunFeedback
from dataagent_server.runs.session_operations.session_copies import SessionCopies
from dataagent_server.runs.session_operations.session_remover import SessionRemover
from dataagent_server.runs.session_operations.session_rewinder import SessionRewinder
from dataagent_server.sessions.live.connection_manager import ConnectionManager
from dataagent_server.sessions.session_service import SessionService
from dataagent_server.sessions.session_shares import SessionSharing
from dataagent_server.settings import ServerSettings
from dataagent_server.workspaces.files.workspace_files import WorkspaceFiles
from dataagent_server.workspaces.store import WorkspaceStore
from dataagent_server.workspaces.workspace_service import WorkspaceService
from dataagent_server.workspaces.workspace_shares import WorkspaceSharing

if TYPE_CHECKING:
    from redis.asyncio import Redis

_MCP_LIMITS: Final = ConnectionLimits(
    servers_per_user=MCP_SERVERS_USED_MAX, connections_per_user=MCP_SERVERS_USED_MAX
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """What services use of the outside world; tests replace them."""

    clock: Clock = utc_now
    monotonic: Callable[[], float] = time.monotonic
    resolver: Resolver = resolve_by_system
    # None: the strength of `identity/auth/passwords.py`.
    hasher: PasswordHasher | None = None
    mcp_limits: ConnectionLimits = _MCP_LIMITS


DEFAULT_EDGES: Final = Edges()


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleServices:
    """Users and what belongs to them; all that the operator's commands need."""

    audit: AuditTrail
    cipher: Cipher
    tenants: TenantService
    members: MemberService
    users: UserService
    keys: KeyService
    sign_in: SignInService
    projects: ProjectService
    credentials: CredentialService
    models: ModelService


@dataclass(frozen=True, slots=True)
class WorkspaceServices:
    """Workspaces and their files, over one store."""

    store: WorkspaceStore
    service: WorkspaceService
    files: WorkspaceFiles
    sharing: WorkspaceSharing


@dataclass(frozen=True, slots=True)
class ReportServices:
    """Reports and their schedules, over one runner."""

    service: ReportService
    schedules: ScheduleService
    clockwork: ReportScheduler


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything a route may use."""

    settings: ServerSettings
    metrics: Metrics
    # Set when the process is asked to stop; streams end and runs are handed over.
    stopping: asyncio.Event
    began_s: float
    redis: "Redis | None"
    database: Database
    keyring: Keyring
    authenticator: Authenticator
    principals: PrincipalCache
    people: PeopleServices
    audit: AuditReader
    sessions: SessionService
    sharing: SessionSharing
    remover: SessionRemover
    copies: SessionCopies
    rewinder: SessionRewinder
    plans: PlanEditor
    feedback: RunFeedback
    memories: PersonalMemories
    graph: PersonalGraph
    memory_remover: MemoryRemover
    patterns: PatternService
    pattern_sharing: PatternSharing
    workflows: WorkflowService
    assistants: AssistantService
    skills: SkillServices
    subagents: SubAgentService
    agent_configs: AgentConfigService
    compositions: CompositionService
    connections: ConnectionManager
    workspaces: WorkspaceServices
    runs: RunServices
    data: DataServices
    mcp: MCPServices
    reports: ReportServices
    model_tester: ModelTester
    checks: Mapping[str, Check]
