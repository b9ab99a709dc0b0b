"""The services of the operator's commands: the database and the services about users.

The database may be in use by running servers. They see a change within seconds
(`identity/auth/cache.py`).
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

from dataagent_core.errors import NotFoundError
from dataagent_core.secrets import open_keyring
from dataagent_server.cli.serve.texts import say
from dataagent_server.common.ids import TenantId
from dataagent_server.composition import PeopleServices, open_current_database, open_people
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.principal import Principal, operator
from dataagent_server.identity.tenants.tenant_rows import find_tenant
from dataagent_server.identity.users.user_rows import find_account, find_user
from dataagent_server.settings import ServerSettings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OperatorServices:
    """Open for one command."""

    settings: ServerSettings
    database: Database
    people: PeopleServices

    async def operator(self, tenant_id: str) -> Principal:
        """Return the operator as principal of an existing tenant."""
        wanted = TenantId(tenant_id)
        if await self.database.read(lambda c: find_tenant(c, wanted)) is None:
            raise NotFoundError(say("no_tenant", tenant=tenant_id))
        return operator(wanted)

    async def user_id(self, tenant_id: str, name: str) -> str:
        """Find a user by user name or id."""
        tenant = TenantId(tenant_id)
        account = await self.database.read(lambda c: find_account(c, tenant, name.lower()))
        if account is not None:
            return account[0]
        if await self.database.read(lambda c: find_user(c, tenant, name)) is not None:
            return name
        raise NotFoundError(say("no_user", user=name, tenant=tenant_id))


def run(work: Callable[[OperatorServices], Awaitable[T]]) -> T:
    """Open the services, run the work, close them."""

    async def main() -> T:
        async with _open() as office:
            return await work(office)

    return asyncio.run(main())


@asynccontextmanager
async def _open() -> AsyncGenerator[OperatorServices]:
    settings = ServerSettings()
    keyring = open_keyring(settings.secret_key_path)
    database = await open_current_database(settings)
    try:
        cache = PrincipalCache(time.monotonic)
        async with open_people(settings, database, keyring, cache) as people:
            yield OperatorServices(settings, database, people)
    finally:
        await database.aclose()
