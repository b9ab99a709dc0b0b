"""Opens the database and the services about users: all that the operator's commands need."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from dataagent_core.secrets import Cipher, Keyring
from dataagent_core.tools.web.web_policy import make_web_policy
from dataagent_server.agents.credentials.base_url_check import BaseUrlCheck
from dataagent_server.agents.credentials.credential_service import CredentialService
from dataagent_server.agents.models.model_service import ModelService
from dataagent_server.composition.services import DEFAULT_EDGES, Edges, PeopleServices
from dataagent_server.db.database import Database
from dataagent_server.db.migrate import migrate_open, require_current
from dataagent_server.db.open_database import open_database
from dataagent_server.db.pool import PoolSizes
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.passwords import Passwords
from dataagent_server.identity.projects.project_service import ProjectService
from dataagent_server.identity.tenants.bootstrap import ensure_default_tenant
from dataagent_server.identity.tenants.member_service import MemberService
from dataagent_server.identity.tenants.tenant import TenantLimits
from dataagent_server.identity.tenants.tenant_service import TenantService
from dataagent_server.identity.users.key_service import KeyService
from dataagent_server.identity.users.sign_in_service import SignInService
from dataagent_server.identity.users.user_service import UserService
from dataagent_server.settings import ServerSettings


async def open_current_database(settings: ServerSettings) -> Database:
    """Open the database with the current schema: migrated on SQLite, required elsewhere."""
    url = settings.effective_database_url
    pool = PoolSizes(size=settings.mysql_pool_size, overflow=settings.mysql_max_overflow)
    database = await open_database(url, pool)
    try:
        await (migrate_open if database.dialect == "sqlite" else require_current)(database)
    except BaseException:
        await database.aclose()
        raise
    return database


@asynccontextmanager
async def open_people(
    settings: ServerSettings,
    database: Database,
    keyring: Keyring,
    cache: PrincipalCache,
    edges: Edges = DEFAULT_EDGES,
) -> AsyncGenerator[PeopleServices]:
    """Create the default tenant at the first start, and return the services."""
    clock = edges.clock
    audit = AuditTrail(keyring, clock)
    cipher = Cipher(keyring)
    passwords = Passwords(edges.hasher)
    addresses = BaseUrlCheck(make_web_policy(settings), edges.resolver)
    credentials = CredentialService(database, audit, cipher, addresses, clock)
    projects = ProjectService(database, audit, clock)
    models = ModelService(
        database, audit, settings, credentials, projects.default_model_of, clock=clock
    )
    limits = TenantLimits(max_sessions_per_user=settings.max_sessions_per_user)
    try:
        await database.read(audit.require_known_keys)
        await database.write(lambda c: ensure_default_tenant(c, audit, clock(), limits))
        yield PeopleServices(
            audit=audit,
            cipher=cipher,
            tenants=TenantService(database, audit, cache, clock, limits),
            members=MemberService(database, audit, cache, passwords, clock),
            users=UserService(database, audit, cache, passwords, clock),
            keys=KeyService(database, audit, cache, keyring, clock),
            sign_in=SignInService(
                database, audit, cache, passwords, keyring, clock=clock, monotonic=edges.monotonic
            ),
            projects=projects,
            credentials=credentials,
            models=models,
        )
    finally:
        await passwords.aclose()
