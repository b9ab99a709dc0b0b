"""What every `TokenStore` and every `PendingFlows` does."""

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.ids import new_id
from dataagent_core.mcp.oauth import (
    ClientRegistration,
    OAuthTokens,
    PendingFlow,
    PendingFlows,
    TokenStore,
)
from dataagent_core.mcp.owner import Owner
from dataagent_core.testing.conformance.examples import shared_store_examples

ADA = Owner("tenant", "ada")
RESOURCE = "https://mcp.example/notes"
CLIENT = ClientRegistration(
    client_id="client",
    client_secret="secret",  # noqa: S106
    auth_method="client_secret_post",
    issuer="https://as.example",
    redirect_uris=("https://dataagent.example/callback", "http://127.0.0.1:19876/cb"),
    secret_expires_at=1_900_000_000.5,
)
TOKENS = OAuthTokens(
    access_token="access",  # noqa: S106
    refresh_token="refresh",  # noqa: S106
    obtained_at=1_800_000_000.25,
    expires_at=1_800_003_600.25,
    scope="read write",
    resource=RESOURCE,
    token_endpoint="https://as.example/token",  # noqa: S106
    revocation_endpoint="https://as.example/revoke",
    client=CLIENT,
)
OTHERS = (
    (Owner("tenant", "bob"), RESOURCE),
    (Owner("other", "ada"), RESOURCE),
    (ADA, "https://mcp.example/notes/more"),
    (ADA, "https://mcp.example"),
    (ADA, "https://other.example/notes"),
    # Joined by any one character these would be the same place.
    (Owner("tenantada", ""), RESOURCE),
)
_SOON_S = 10.0


class TokenStoreConformance:
    """Needs the fixtures `token_store` and `token_store_twin`, as another process would open it."""

    async def test_nobody_has_signed_in_at_first(self, token_store: TokenStore) -> None:
        assert await token_store.get_tokens(ADA, RESOURCE) is None
        assert await token_store.get_client(ADA, RESOURCE) is None

    async def test_what_was_set_is_read_back_equal_also_elsewhere(
        self, token_store: TokenStore, token_store_twin: TokenStore
    ) -> None:
        await token_store.set_tokens(ADA, RESOURCE, TOKENS)
        await token_store.set_client(ADA, RESOURCE, CLIENT)
        assert await token_store_twin.get_tokens(ADA, RESOURCE) == TOKENS
        assert await token_store_twin.get_client(ADA, RESOURCE) == CLIENT

    @shared_store_examples
    @given(secret=st.text(max_size=50), expires_at=st.none() | st.floats(0, 4e9))
    async def test_any_token_is_read_back_equal(
        self, token_store: TokenStore, secret: str, expires_at: float | None
    ) -> None:
        owner = Owner(new_id(), new_id())
        tokens = replace(TOKENS, access_token=secret, refresh_token="", expires_at=expires_at)
        await token_store.set_tokens(owner, RESOURCE, tokens)
        assert await token_store.get_tokens(owner, RESOURCE) == tokens

    async def test_new_ones_replace_the_old(self, token_store: TokenStore) -> None:
        await token_store.set_tokens(ADA, RESOURCE, TOKENS)
        newer = replace(TOKENS, access_token="newer")  # noqa: S106
        await token_store.set_tokens(ADA, RESOURCE, newer)
        assert await token_store.get_tokens(ADA, RESOURCE) == newer

    async def test_nobody_else_and_no_other_resource_sees_them(
        self, token_store: TokenStore
    ) -> None:
        await token_store.set_tokens(ADA, RESOURCE, TOKENS)
        await token_store.set_client(ADA, RESOURCE, CLIENT)
        for owner, resource in OTHERS:
            assert await token_store.get_tokens(owner, resource) is None
            assert await token_store.get_client(owner, resource) is None
            await token_store.delete_tokens(owner, resource)
            await token_store.delete_client(owner, resource)
        assert await token_store.get_tokens(ADA, RESOURCE) == TOKENS
        assert await token_store.get_client(ADA, RESOURCE) == CLIENT

    async def test_tokens_and_client_are_deleted_apart(self, token_store: TokenStore) -> None:
        await token_store.set_tokens(ADA, RESOURCE, TOKENS)
        await token_store.set_client(ADA, RESOURCE, CLIENT)
        await token_store.delete_tokens(ADA, RESOURCE)
        assert await token_store.get_tokens(ADA, RESOURCE) is None
        assert await token_store.get_client(ADA, RESOURCE) == CLIENT
        await token_store.delete_client(ADA, RESOURCE)
        assert await token_store.get_client(ADA, RESOURCE) is None
        # What is not there is deleted without a word.
        await token_store.delete_tokens(ADA, RESOURCE)

    async def test_writers_at_once_lose_nothing(
        self, token_store: TokenStore, token_store_twin: TokenStore
    ) -> None:
        places = [(Owner("tenant", f"user{n}"), RESOURCE) for n in range(10)]
        await asyncio.gather(
            *(
                (token_store, token_store_twin)[n % 2].set_tokens(*place, TOKENS)
                for n, place in enumerate(places)
            )
        )
        assert [await token_store.get_tokens(*place) for place in places] == [TOKENS] * 10

    async def test_a_lock_holds_off_the_same_place_and_no_other(
        self, token_store: TokenStore, token_store_twin: TokenStore
    ) -> None:
        async with AsyncExitStack() as held:
            await held.enter_async_context(token_store.lock(ADA, RESOURCE))
            for owner, resource in OTHERS:
                async with asyncio.timeout(_SOON_S), token_store_twin.lock(owner, resource):
                    pass
            waiting = asyncio.create_task(_enter(token_store_twin))
            # Reading and writing need no lock, and give the waiting one its turns.
            await token_store_twin.set_tokens(ADA, RESOURCE, TOKENS)
            assert await token_store_twin.get_tokens(ADA, RESOURCE) == TOKENS
            done, _ = await asyncio.wait([waiting], timeout=0.2)
            assert not done
        async with asyncio.timeout(_SOON_S):
            await waiting

    async def test_a_lock_ends_with_an_error_or_a_cancelled_wait(
        self, token_store: TokenStore, token_store_twin: TokenStore
    ) -> None:
        async def failed() -> None:
            async with token_store.lock(ADA, RESOURCE):
                waiting = asyncio.create_task(_enter(token_store_twin))
                await asyncio.wait([waiting], timeout=0.1)
                waiting.cancel()
                await asyncio.wait([waiting])
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await failed()
        async with asyncio.timeout(_SOON_S), token_store_twin.lock(ADA, RESOURCE):
            pass


class PendingFlowsConformance:
    """Needs the fixture `pending_flows`."""

    async def test_a_flow_is_taken_once(self, pending_flows: PendingFlows) -> None:
        flow = a_flow("state")
        await pending_flows.keep(flow)
        assert await pending_flows.take(flow.flow_id) == flow
        assert await pending_flows.take(flow.flow_id) is None

    async def test_of_many_who_take_one_gets_it(self, pending_flows: PendingFlows) -> None:
        flow = a_flow("state")
        await pending_flows.keep(flow)
        taken = await asyncio.gather(*(pending_flows.take(flow.flow_id) for _ in range(8)))
        assert [one for one in taken if one is not None] == [flow]

    async def test_flows_are_told_apart(self, pending_flows: PendingFlows) -> None:
        first, second = a_flow("one"), a_flow("two")
        await pending_flows.keep(first)
        await pending_flows.keep(second)
        assert await pending_flows.take(a_flow("three").flow_id) is None
        assert await pending_flows.take(second.flow_id) == second
        assert await pending_flows.take(first.flow_id) == first


def a_flow(state: str) -> PendingFlow:
    """Make a sign-in that was begun just now."""
    return PendingFlow(
        owner=ADA,
        server="notes",
        key=RESOURCE,
        resource=RESOURCE,
        issuer="https://as.example",
        iss_promised=True,
        token_endpoint="https://as.example/token",  # noqa: S106
        client=CLIENT,
        redirect_uri="https://dataagent.example/callback",
        state=state,
        verifier="verifier",
        created_at=time.time(),
    )


async def _enter(store: TokenStore) -> None:
    async with store.lock(ADA, RESOURCE):
        pass
