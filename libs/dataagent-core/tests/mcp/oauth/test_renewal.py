"""Tokens end, are renewed, replaced and revoked, while calls go on."""

import asyncio
import time
from dataclasses import replace

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_auth_server import AuthServer
from mcp_people import ADA, Clock, called, connected, raised, result_of, signed_in
from starlette.responses import JSONResponse, Response

from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.oauth import FileTokenStore, auth_for
from dataagent_core.mcp.oauth.request_auth import is_due
from dataagent_core.testing.conformance.mcp_oauth import TOKENS


async def asked(
    server: AuthServer, store: FileTokenStore, clock: Clock, times: int = 1
) -> set[int]:
    """Ask the resource with one auth, so often at once; give the statuses."""
    auth = auth_for(store, clock=clock, spread=lambda: 0.0)(ADA, server.config())
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"Accept": "application/json, text/event-stream"}
    async with httpx2.AsyncClient(auth=auth, headers=headers) as http:
        replies = await asyncio.gather(*(http.post(server.url(), json=ping) for _ in range(times)))
    return {reply.status_code for reply in replies}


@pytest.mark.requirement("S2-10.3.3-expiry")
@pytest.mark.requirement("F6-oauth")
async def test_a_token_is_renewed_before_it_ends_and_the_new_one_kept(
    server: AuthServer, store: FileTokenStore
):
    first = await signed_in(server, store, ADA)
    clock = Clock(time.time())
    async with connected(server.config(), store, ADA, clock) as client:
        await called(client, "whoami")
        assert server.renewals == 0
        clock.now += 3600 - 59
        assert await called(client, "whoami") == "ada"
        assert server.renewals == 1
        assert await called(client, "whoami") == "ada"
    second = await store.get_tokens(ADA, server.url())
    assert second is not None
    assert second.access_token != first.access_token
    assert second.refresh_token != first.refresh_token
    assert second.client == first.client
    assert server.renewals == 1
    assert server.bearers[-1][1] == second.access_token


async def test_without_rotation_the_refresh_token_stays(server: AuthServer, store: FileTokenStore):
    server.does.rotates = False
    first = await signed_in(server, store, ADA)
    clock = Clock(time.time())
    for _ in range(3):
        clock.now += 3600
        assert 401 not in await asked(server, store, clock)
    tokens = await store.get_tokens(ADA, server.url())
    assert tokens is not None
    assert tokens.refresh_token == first.refresh_token
    assert server.renewals == 3


async def test_calls_at_once_renew_once(server: AuthServer, store: FileTokenStore):
    await signed_in(server, store, ADA)
    assert 401 not in await asked(server, store, Clock(time.time() + 4000), times=20)
    assert server.renewals == 1


async def test_a_token_refused_before_its_time_is_renewed_and_the_call_made_again(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    async with connected(server.config(), store, ADA) as client:
        server.revoke_access()
        assert await called(client, "whoami") == "ada"
    assert server.renewals == 1


async def test_a_sign_in_elsewhere_is_used_instead_of_a_renewal(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    async with connected(server.config(), store, ADA) as client:
        server.revoke_all()
        await signed_in(server, store, ADA)
        assert await called(client, "whoami") == "ada"
    assert server.renewals == 0


@pytest.mark.requirement("F6-oauth")
async def test_a_revoked_sign_in_is_dropped_and_a_person_asked(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    server.revoke_all()
    with raised(SignInNeededError, "needs you to sign in"):
        await result_of(server.config(), store, ADA, "whoami")
    assert await store.get_tokens(ADA, server.url()) is None
    assert await store.get_client(ADA, server.url()) is not None
    await signed_in(server, store, ADA)
    assert await result_of(server.config(), store, ADA, "whoami") == "ada"
    assert len(server.registrations) == 1


async def test_a_forgotten_client_is_registered_anew(server: AuthServer, store: FileTokenStore):
    await signed_in(server, store, ADA)
    server.clients.clear()
    server.revoke_access()
    with raised(SignInNeededError, "needs you to sign in"):
        await result_of(server.config(), store, ADA, "whoami")
    await signed_in(server, store, ADA)
    assert len(server.registrations) == 2


async def test_without_a_refresh_token_the_end_is_the_end(
    server: AuthServer, store: FileTokenStore
):
    server.does.gives_refresh_tokens = False
    await signed_in(server, store, ADA)
    assert await result_of(server.config(), store, ADA, "whoami") == "ada"
    server.revoke_access()
    with raised(SignInNeededError, "needs you to sign in"):
        await result_of(server.config(), store, ADA, "whoami")
    assert server.renewals == 0


async def test_a_server_that_says_how_long_to_nobody_is_believed_until_it_refuses(
    server: AuthServer, store: FileTokenStore
):
    server.does.lifetime_s = None
    tokens = await signed_in(server, store, ADA)
    assert tokens.expires_at is None
    assert 401 not in await asked(server, store, Clock(time.time() + 1e9))
    assert server.renewals == 0


async def test_a_server_that_refuses_every_token_is_not_asked_for_ever_more_of_them(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    server.does.instead["/mcp"] = lambda: Response(status_code=401)
    auth = auth_for(store)(ADA, server.config())
    async with httpx2.AsyncClient(auth=auth) as http:
        for _ in range(5):
            with pytest.raises(SignInNeededError):
                await http.post(server.url())
    assert server.renewals == 1
    assert await store.get_tokens(ADA, server.url()) is not None


async def test_a_token_that_ends_unannounced_is_renewed_each_time(
    server: AuthServer, store: FileTokenStore
):
    server.does.lifetime_s = None
    await signed_in(server, store, ADA)
    async with connected(server.config(), store, ADA) as client:
        for _ in range(3):
            server.revoke_access()
            assert await called(client, "whoami") == "ada"
    assert server.renewals == 3


async def test_while_renewing_fails_the_old_token_serves_until_it_ends(
    server: AuthServer, store: FileTokenStore
):
    first = await signed_in(server, store, ADA)
    tries: list[int] = []

    def down() -> Response:
        tries.append(1)
        return JSONResponse({"error": "temporarily_unavailable"}, 503)

    server.does.instead["/token"] = down
    clock = Clock(time.time() + 3600 - 30)
    assert 401 not in await asked(server, store, clock, times=5)
    assert len(tries) == 1
    clock.now += 60
    with pytest.raises(
        MCPServerError, match=r"could not be renewed .*temporarily_unavailable"
    ) as found:
        await asked(server, store, clock)
    assert not isinstance(found.value, SignInNeededError)
    assert await store.get_tokens(ADA, server.url()) == first
    del server.does.instead["/token"]
    assert 401 not in await asked(server, store, clock)


@pytest.mark.parametrize(
    ("status", "body"), [(500, "no"), (429, '{"error": "slow_down"}'), (400, "<html>"), (302, "")]
)
async def test_a_hitch_at_the_token_end_point_does_not_end_a_sign_in(
    server: AuthServer, store: FileTokenStore, status: int, body: str
):
    await signed_in(server, store, ADA)
    elsewhere = {"Location": "https://evil.example/token"}
    server.does.instead["/token"] = lambda: Response(body, status, elsewhere)
    with pytest.raises(MCPServerError, match="Try again later"):
        await asked(server, store, Clock(time.time() + 4000))
    assert await store.get_tokens(ADA, server.url()) is not None


async def test_a_cancelled_call_does_not_lose_the_tokens_it_made_the_server_give(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    asking, go_on = asyncio.Event(), asyncio.Event()

    async def held_up() -> None:
        asking.set()
        await go_on.wait()

    server.does.before_renewal = held_up
    clock = Clock(time.time() + 4000)
    auth = auth_for(store, clock=clock)(ADA, server.config())
    async with httpx2.AsyncClient(auth=auth) as http:
        call = asyncio.create_task(http.post(server.url()))
        await asking.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        go_on.set()
        server.does.before_renewal = None
        assert (await http.post(server.url())).status_code != 401
    assert server.renewals == 1


@pytest.mark.requirement("F6-5")
async def test_a_tool_that_needs_more_says_which_and_the_other_calls_go_on(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    async with connected(server.config(), store, ADA) as client:
        with raised(SignInNeededError, "with the scopes 'read write'"):
            await called(client, "write", text="it")
        assert await called(client, "whoami") == "ada"
        await signed_in(server, store, ADA, scopes="read write")
    assert await result_of(server.config(), store, ADA, "write", text="it") == "wrote it"


async def test_a_connection_outlives_a_sign_out_and_goes_on_after_the_next_sign_in(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    async with connected(server.config(), store, ADA) as client:
        server.revoke_all()
        with raised(SignInNeededError, "needs you to sign in"):
            await called(client, "whoami")
        await signed_in(server, store, ADA)
        assert await called(client, "whoami") == "ada"


async def test_the_error_itself_names_what_was_granted_and_what_is_wanted(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    auth = auth_for(store)(ADA, server.config())
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "write"}}
    async with httpx2.AsyncClient(auth=auth) as http:
        with pytest.raises(SignInNeededError) as found:
            await http.post(server.url(), json=call)
    assert found.value.scopes == "read write"


async def test_a_plain_403_is_the_servers_own_affair(server: AuthServer, store: FileTokenStore):
    await signed_in(server, store, ADA)
    server.does.instead["/mcp"] = lambda: Response(status_code=403)
    assert await asked(server, store, Clock(time.time())) == {403}


async def test_a_token_does_not_follow_a_request_to_another_place(
    server: AuthServer, store: FileTokenStore
):
    tokens = await signed_in(server, store, ADA)
    auth = auth_for(store)(ADA, server.config())
    assert auth is not None
    for url, signed in ((server.url("/messages"), True), ("https://evil.example/mcp", False)):
        flow = auth.async_auth_flow(httpx2.Request("POST", url))
        sent = await anext(flow)
        assert sent.headers.get("Authorization") == (
            f"Bearer {tokens.access_token}" if signed else None
        )
        await flow.aclose()


@given(lifetime_s=st.integers(1, 10**7), spread=st.floats(0, 1, exclude_max=True))
def test_renewal_is_due_in_the_last_fifth_and_never_more_than_two_minutes_early(
    lifetime_s: int, spread: float
):
    tokens = replace(TOKENS, obtained_at=1e9, expires_at=1e9 + lifetime_s)
    early_s = min(120.0, lifetime_s / 5)
    assert not is_due(tokens, 1e9 + lifetime_s - early_s - 0.01, spread)
    assert is_due(tokens, 1e9 + lifetime_s, spread)
    assert is_due(tokens, 1e9 + lifetime_s - min(60.0, lifetime_s / 10) + 0.01, spread)
