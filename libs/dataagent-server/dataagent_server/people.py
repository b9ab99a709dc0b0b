"""The services about people, put together: one part of `wiring.py`, and all of it the CLI needs."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from argon2 import PasswordHasher

from dataagent_core.secrets import Cipher, Keyring
from dataagent_core.tools.web.policy import policy_from
from dataagent_core.tools.web.transport import Resolver, system_resolver
from dataagent_server.audit import AuditTrail
from dataagent_server.auth.cache import PrincipalCache
from dataagent_server.auth.clock import Clock, utc_now
from dataagent_server.auth.passwords import Passwords
from dataagent_server.credentials.address import BaseUrlCheck
from dataagent_server.credentials.service import CredentialService
from dataagent_server.db.database import Database
from dataagent_server.models.service import ModelService
from dataagent_server.projects.service import ProjectService
from dataagent_server.settings import ServerSettings
from dataagent_server.tenants.bootstrap import ensure_default_tenant
from dataagent_server.tenants.members import MemberService
from dataagent_server.tenants.model import TenantLimits
from dataagent_server.tenants.service import TenantService
from dataagent_server.users.keys import KeyService
from dataagent_server.users.service import UserService
from dataagent_server.users.sign_in import SignInService


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Who there is and what they hold."""

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


@asynccontextmanager
async def open_people(
    settings: ServerSettings,
    database: Database,
    keyring: Keyring,
    cache: PrincipalCache,
    *,
    clock: Clock = utc_now,
    monotonic: Callable[[], float] = time.monotonic,
    resolver: Resolver = system_resolver,
    hasher: PasswordHasher | None = None,
) -> AsyncGenerator[People]:
    """Make the default tenant if this is the first start, and hand out the services."""
    audit = AuditTrail(keyring, clock)
    cipher = Cipher(keyring)
    passwords = Passwords(hasher)
    addresses = BaseUrlCheck(policy_from(settings), resolver)
    credentials = CredentialService(database, audit, cipher, addresses, clock)
    projects = ProjectService(database, audit, clock)
    models = ModelService(
        database, audit, settings, credentials, projects.default_model_of, clock=clock
    )
    limits = TenantLimits(max_sessions_per_user=settings.max_sessions_per_user)
    try:
        await database.read(audit.require_known_keys)
        await database.write(lambda c: ensure_default_tenant(c, audit, clock(), limits))
        yield People(
            audit=audit,
            cipher=cipher,
            tenants=TenantService(database, audit, cache, clock, limits),
            members=MemberService(database, audit, cache, passwords, clock),
            users=UserService(database, audit, cache, passwords, clock),
            keys=KeyService(database, audit, cache, keyring, clock),
            sign_in=SignInService(
                database, audit, cache, passwords, keyring, clock=clock, monotonic=monotonic
            ),
            projects=projects,
            credentials=credentials,
            models=models,
        )
    finally:
        await passwords.aclose()
