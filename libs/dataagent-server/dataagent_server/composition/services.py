"""What the composition root hands out, by area, and the edges that tests replace."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from argon2 import PasswordHasher

from dataagent_core.config.mcp_limits import MCP_SERVERS_USED_MAX
from dataagent_core.mcp.connections import ConnectionLimits
from dataagent_core.secrets import Cipher, Keyring
from dataagent_core.tools.web.transport import Resolver, system_resolver
from dataagent_server.assistants.service import AssistantService
from dataagent_server.audit import AuditTrail
from dataagent_server.auth.authenticator import Authenticator
from dataagent_server.auth.cache import PrincipalCache
from dataagent_server.auth.clock import Clock, utc_now
from dataagent_server.composition.readiness import Check
from dataagent_server.connections import ConnectionManager
from dataagent_server.credentials.service import CredentialService
from dataagent_server.data import DataServices
from dataagent_server.db.database import Database
from dataagent_server.mcp_servers.services import MCPServices
from dataagent_server.metrics import Metrics
from dataagent_server.models.service import ModelService
from dataagent_server.projects.service import ProjectService
from dataagent_server.reports.clockwork import Clockwork
from dataagent_server.reports.schedules import ScheduleService
from dataagent_server.reports.service import ReportService
from dataagent_server.runs.copying import SessionCopies
from dataagent_server.runs.model_tests import ModelTester
from dataagent_server.runs.removing import SessionRemover
from dataagent_server.runs.rewinding import SessionRewinder
from dataagent_server.runs.services import RunServices
from dataagent_server.sessions.service import SessionService
from dataagent_server.sessions.sharing import SessionSharing
from dataagent_server.settings import ServerSettings
from dataagent_server.tenants.audit_log import AuditReader
from dataagent_server.tenants.members import MemberService
from dataagent_server.tenants.service import TenantService
from dataagent_server.users.keys import KeyService
from dataagent_server.users.service import UserService
from dataagent_server.users.sign_in import SignInService
from dataagent_server.workspaces.files import WorkspaceFiles
from dataagent_server.workspaces.service import WorkspaceService
from dataagent_server.workspaces.sharing import WorkspaceSharing
from dataagent_server.workspaces.store import WorkspaceStore

if TYPE_CHECKING:
    from redis.asyncio import Redis

_MCP_LIMITS: Final = ConnectionLimits(
    servers_per_user=MCP_SERVERS_USED_MAX, connections_per_user=MCP_SERVERS_USED_MAX
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """What services know of the world outside; tests give others."""

    clock: Clock = utc_now
    monotonic: Callable[[], float] = time.monotonic
    resolver: Resolver = system_resolver
    # None takes the strength of `auth/passwords.py`.
    hasher: PasswordHasher | None = None
    mcp_limits: ConnectionLimits = _MCP_LIMITS


DEFAULT_EDGES: Final = Edges()


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleServices:
    """Who there is and what they hold; all that the operator's commands need."""

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
    clockwork: Clockwork


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything a route may ask for."""

    settings: ServerSettings
    metrics: Metrics
    # Set as soon as the process is asked to stop; streams end and runs are handed over on it.
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
    assistants: AssistantService
    connections: ConnectionManager
    workspaces: WorkspaceServices
    runs: RunServices
    data: DataServices
    mcp: MCPServices
    reports: ReportServices
    model_tester: ModelTester
    checks: Mapping[str, Check]
