"""Signing out forgets here and there."""

from pathlib import Path

import pytest
from mcp_auth_server import AuthServer
from mcp_people import (
    ADA,
    BOB,
    a_sign_in,
    a_store,
    called,
    connected,
    raised,
    result_of,
    signed_in,
)
from starlette.responses import Response

from dataagent_core.errors import SignInNeededError
from dataagent_core.mcp.oauth import FileTokenStore
from dataagent_core.secrets import Keyring, SecretKey


async def test_both_tokens_are_revoked_and_forgotten_and_nobody_elses(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    await signed_in(server, store, BOB)
    assert await a_sign_in(store).sign_out(ADA, server.config())
    assert server.counts["/revoke"] == 2
    assert {grant.user for grant in (*server.access.values(), *server.refresh.values())} == {"bob"}
    assert await store.get_client(ADA, server.url()) is None
    with raised(SignInNeededError, "sign in"):
        await result_of(server.config(), store, ADA, "whoami")
    assert await result_of(server.config(), store, BOB, "whoami") == "bob"


async def test_what_a_running_connection_holds_is_worth_nothing_after(
    server: AuthServer, store: FileTokenStore
):
    with raised(SignInNeededError, "sign in"):
        await signed_in(server, store, ADA)
        async with connected(server.config(), store, ADA) as client:
            assert await called(client, "whoami") == "ada"
            await a_sign_in(store).sign_out(ADA, server.config())
            await called(client, "whoami")


@pytest.mark.parametrize("way", ["no end point", "failing", "refusing"])
async def test_a_server_that_does_not_revoke_does_not_keep_us_from_forgetting(
    server: AuthServer, store: FileTokenStore, way: str
):
    server.does.revokes = way != "no end point"
    await signed_in(server, store, ADA)
    server.does.instead["/revoke"] = lambda: Response(
        status_code=503, headers={"Content-Encoding": "gzip"} if way == "failing" else {}
    )
    assert not await a_sign_in(store).sign_out(ADA, server.config())
    assert await store.get_tokens(ADA, server.url()) is None


async def test_signing_out_twice_is_no_error(server: AuthServer, store: FileTokenStore):
    assert not await a_sign_in(store).sign_out(ADA, server.config())
    assert not server.counts


async def test_what_cannot_be_read_any_more_can_still_be_forgotten_and_made_anew(
    server: AuthServer, store: FileTokenStore, tmp_path: Path
):
    await signed_in(server, store, ADA)
    other = a_store(tmp_path, Keyring((SecretKey("two", b"2" * 32),)))
    assert not await a_sign_in(other).sign_out(ADA, server.config())
    await signed_in(server, store, ADA)
    await signed_in(server, other, ADA)
    assert await result_of(server.config(), other, ADA, "whoami") == "ada"
