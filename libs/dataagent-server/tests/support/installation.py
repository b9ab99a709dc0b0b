"""Users to test with: the real services on a real database, with a clock moved by hand."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from pydantic import SecretStr

from dataagent_core.secrets import Keyring, open_keyring
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.composition import Edges, PeopleServices, open_people
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.authenticator import Authenticator
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.configured_keys import ConfiguredKeys
from dataagent_server.identity.auth.csrf import CsrfGuard
from dataagent_server.identity.auth.presented_credentials import PresentedCredentials
from dataagent_server.identity.auth.principal import Principal, Role, operator
from dataagent_server.settings import ServerSettings

# At its default strength a hash takes a good part of a second; `identity/auth/test_passwords.py` shows that.
QUICK_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Time:
    """The time of day and the seconds since start, moved together by hand."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 15, 12, tzinfo=UTC)
        self.seconds = 0.0

    def pass_s(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)
        self.seconds += seconds

    def now(self) -> datetime:
        return self.moment

    def monotonic(self) -> float:
        return self.seconds


@dataclass(kw_only=True)
class Installation:
    """The services about users of one installation."""

    database: Database
    keyring: Keyring
    cache: PrincipalCache
    people: PeopleServices
    authenticator: Authenticator
    time: Time
    addresses: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    async def tenant(self, tenant_id: str) -> TenantId:
        await self.people.tenants.create(operator(DEFAULT_TENANT), tenant_id, tenant_id=tenant_id)
        return TenantId(tenant_id)

    async def person(
        self, tenant_id: TenantId, name: str, role: Role = "member", password: str | None = None
    ) -> Principal:
        member = await self.people.members.add(operator(tenant_id), name, role, password=password)
        return Principal(tenant_id, member.user_id, role)

    async def by_key(self, key: str) -> Principal:
        return await self.authenticator.request(PresentedCredentials(api_key=key))


@pytest.fixture
def keyring(tmp_path: Path) -> Keyring:
    return open_keyring(tmp_path / "secret.key")


@pytest.fixture
def configured_keys() -> list[str]:
    """S0's DATAAGENT_API_KEYS; a test overrides it by parametrizing."""
    return []


@pytest.fixture
async def installation(
    database: Database, keyring: Keyring, tmp_path: Path, configured_keys: list[str]
) -> AsyncGenerator[Installation]:
    settings = ServerSettings.load({"DATAAGENT_HOME": str(tmp_path)}, tmp_path)
    time = Time()
    cache = PrincipalCache(time.monotonic)
    addresses: dict[str, list[str]] = {}

    async def resolver(host: str, port: int):
        return [ip_address(text) for text in addresses.get(host, ["93.184.215.14"])]

    guard = CsrfGuard(keyring, public_url="https://agent.example")
    configured = ConfiguredKeys(keyring, [SecretStr(key) for key in configured_keys])
    authenticator = Authenticator(database, keyring, cache, guard, configured, clock=time.now)
    async with open_people(
        settings,
        database,
        keyring,
        cache,
        Edges(clock=time.now, monotonic=time.monotonic, resolver=resolver, hasher=QUICK_HASHER),
    ) as people:
        yield Installation(
            database=database,
            keyring=keyring,
            cache=cache,
            people=people,
            authenticator=authenticator,
            time=time,
            addresses=addresses,
        )
