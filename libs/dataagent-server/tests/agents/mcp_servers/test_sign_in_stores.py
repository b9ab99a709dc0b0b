"""Tokens and pending sign-ins in the database: core's conformance suites, and what is ours."""

import asyncio
import time
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
from mcp_auth_server import auth_server
from mcp_people import result_of, signed_in
from sqlalchemy import func, select

from dataagent_core.errors import StorageError
from dataagent_core.mcp.oauth import PendingFlows, TokenStore
from dataagent_core.mcp.owner import Owner
from dataagent_core.secrets import Cipher, Keyring, SecretKey
from dataagent_core.testing.conformance.mcp_oauth import (
    ADA,
    CLIENT,
    RESOURCE,
    TOKENS,
    PendingFlowsConformance,
    TokenStoreConformance,
    a_flow,
)
from dataagent_server.agents.mcp_servers.limits import SIGN_INS_PER_USER_MAX
from dataagent_server.agents.mcp_servers.sign_in import token_rows
from dataagent_server.agents.mcp_servers.sign_in.flows import DatabaseFlows, remove_expired
from dataagent_server.agents.mcp_servers.sign_in.token_store import DatabaseTokenStore
from dataagent_server.db.database import Database
from dataagent_server.db.open_database import open_database
from dataagent_server.db.tables.mcp import mcp_tokens, oauth_flows
from dataagent_server.identity.auth.clock import utc_now

pytestmark = pytest.mark.every_database

CIPHER = Cipher(Keyring((SecretKey("one", b"1" * 32),)))
BOB = Owner(ADA.tenant_id, "bob")


@pytest.fixture
async def twin(database_url: str) -> AsyncGenerator[Database]:
    """The same database as another process opens it."""
    opened = await open_database(database_url)
    yield opened
    await opened.aclose()


class TestDatabaseTokenStore(TokenStoreConformance):
    @pytest.fixture
    def token_store(self, database: Database) -> TokenStore:
        return DatabaseTokenStore(database, CIPHER)

    @pytest.fixture
    def token_store_twin(self, twin: Database) -> TokenStore:
        return DatabaseTokenStore(twin, CIPHER)


class TestDatabaseFlows(PendingFlowsConformance):
    @pytest.fixture
    def pending_flows(self, database: Database) -> PendingFlows:
        return DatabaseFlows(database, CIPHER)


async def test_neither_tokens_nor_flows_are_stored_in_the_clear(database: Database):
    store = DatabaseTokenStore(database, CIPHER)
    await store.set_tokens(ADA, RESOURCE, TOKENS)
    await store.set_client(ADA, RESOURCE, CLIENT)
    await DatabaseFlows(database, CIPHER).keep(a_flow("the-state"))
    for table in (mcp_tokens, oauth_flows):
        (row,) = await database.read(lambda c, t=table: c.execute(select(t)).all())
        assert not [
            s for s in ("access", "refresh", "secret", "verifier", "the-state") if s in repr(row)
        ]


async def test_a_ciphertext_does_not_open_for_another_person(database: Database):
    store = DatabaseTokenStore(database, CIPHER)
    await store.set_tokens(ADA, RESOURCE, TOKENS)
    await database.write(lambda c: c.execute(mcp_tokens.update().values(user_id="bob")))
    with pytest.raises(StorageError):
        await store.get_tokens(BOB, RESOURCE)


async def test_nothing_is_left_when_nothing_is_held(database: Database):
    store = DatabaseTokenStore(database, CIPHER)
    async with store.lock(ADA, RESOURCE):
        await store.set_tokens(ADA, RESOURCE, TOKENS)
        await store.delete_tokens(ADA, RESOURCE)
    count = select(func.count()).select_from(mcp_tokens)
    assert await database.read(lambda c: c.execute(count).scalar()) == 0


async def test_who_died_with_the_lock_holds_nobody_up_for_long(database: Database, twin: Database):
    dead, alive = (
        DatabaseTokenStore(database, CIPHER),
        DatabaseTokenStore(twin, CIPHER, lease_s=9.0),
    )
    now = utc_now()
    held = token_rows.TokenKey(ADA, RESOURCE)
    soon = now.replace(microsecond=0)
    assert await dead.database.write(
        lambda c: token_rows.take_lock(c, held, "gone", now, max(now, soon))
    )
    ends = select(mcp_tokens.c.locked_until)
    async with asyncio.timeout(120), alive.lock(ADA, RESOURCE):
        # Whoever lives keeps it: the lease is made longer long before it ends.
        first = await database.read(lambda c: c.execute(ends).scalar())
        while await database.read(lambda c: c.execute(ends).scalar()) == first:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        impatient = replace(dead, lock_wait_s=0.2)
        with pytest.raises(StorageError, match="renewing these tokens for too long"):
            async with impatient.lock(ADA, RESOURCE):
                pass


async def test_a_person_has_a_few_sign_ins_under_way_and_the_oldest_makes_room(database: Database):
    flows = DatabaseFlows(database, CIPHER, login_id="browser")
    began = a_flow("x").created_at
    made = [
        replace(a_flow(f"s{n}"), created_at=began + n) for n in range(SIGN_INS_PER_USER_MAX + 1)
    ]
    for flow in made:
        await flows.keep(flow)
    assert await flows.take(made[0].flow_id) is None
    begun = await flows.find_pending(made[1].flow_id)
    assert begun is not None
    assert (begun.user_id, begun.server, begun.login_id) == ("ada", "notes", "browser")
    await database.write(lambda c: remove_expired(c, utc_now().replace(year=2100)))
    assert await flows.take(made[-1].flow_id) is None


@pytest.mark.requirement("F6-oauth")
async def test_of_processes_that_find_a_token_ended_one_renews_it(
    database: Database, twin: Database
):
    stores = [DatabaseTokenStore(one, CIPHER) for one in (database, twin)]
    async with auth_server() as server:
        tokens = await signed_in(server, stores[0], ADA)
        ended = replace(tokens, expires_at=time.time() - 1)
        await stores[0].set_tokens(ADA, server.url(), ended)
        calls = [result_of(server.config(), store, ADA, "whoami") for store in stores * 2]
        assert await asyncio.gather(*calls) == ["ada"] * 4
        assert server.renewals == 1
