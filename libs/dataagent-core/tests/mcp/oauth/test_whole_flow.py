"""A person signs in, a run uses it: a real authorization server, MCP server and client."""

import asyncio
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_auth_server import DOCUMENT_URL, REDIRECT_URI, AuthServer, auth_server
from mcp_people import ADA, BOB, a_sign_in, called, connected, raised, result_of, signed_in
from starlette.responses import Response

from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.config import OAuthSettings
from dataagent_core.mcp.oauth import FileTokenStore

PUBLIC_REDIRECT = "https://dataagent.example/api/v1/mcp/oauth/callback"
KNOWN = {
    "client_id": "known",
    "client_secret": "s+cret/%",
    "redirect_uris": [REDIRECT_URI],
    "token_endpoint_auth_method": "client_secret_basic",
}


@pytest.mark.requirement("F6-oauth")
@pytest.mark.requirement("F6-5")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_who_signed_in_calls_tools_as_themselves(
    server: AuthServer, store: FileTokenStore, mode: str
):
    tokens = await signed_in(server, store, ADA)
    async with connected(server.config(), store, ADA, mode=mode) as client:
        assert await called(client, "whoami") == "ada"
    assert {token for _, token in server.bearers[1:]} == {tokens.access_token}
    assert (tokens.scope, tokens.resource) == ("read", server.url())
    (asked,) = server.registrations
    assert asked["redirect_uris"] == [REDIRECT_URI]
    assert (asked["client_name"], asked["application_type"]) == ("DataAgent", "native")


async def test_without_a_sign_in_a_run_is_told_so_and_no_browser_opens(
    server: AuthServer, store: FileTokenStore
):
    with raised(SignInNeededError, "'notes' needs you to sign in"):
        await result_of(server.config(), store, ADA, "whoami")
    assert not {"/authorize", "/register", "/token"} & set(server.counts)


async def test_where_a_sign_in_is_configured_none_is_tried_without(
    server: AuthServer, store: FileTokenStore
):
    with raised(SignInNeededError, "sign in"):
        await result_of(server.config(oauth=OAuthSettings()), store, ADA, "whoami")
    assert not server.counts


@pytest.mark.requirement("F6-5")
async def test_two_people_share_a_server_and_each_uses_their_own_token(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    await signed_in(server, store, BOB)
    async with (
        connected(server.config(), store, ADA) as ada,
        connected(server.config(), store, BOB) as bob,
    ):
        people = [(ada, "ada"), (bob, "bob")] * 10
        names = await asyncio.gather(*(called(client, "whoami") for client, _ in people))
    assert names == [name for _, name in people]


@pytest.mark.requirement("F6-two-users")
@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(st.sampled_from(["ada in", "bob in", "ada out", "ada", "bob"]), max_size=8))
async def test_whatever_order_people_sign_in_and_out_tokens_never_mix(
    server: AuthServer, store: FileTokenStore, steps: list[str]
):
    people = {"ada": ADA, "bob": BOB}
    for owner in people.values():
        await a_sign_in(store).sign_out(owner, server.config())
    inside: set[str] = set()
    for step in steps:
        name, _, act = step.partition(" ")
        if act == "in":
            await signed_in(server, store, people[name])
            inside.add(name)
        elif act == "out":
            await a_sign_in(store).sign_out(people[name], server.config())
            inside.discard(name)
        elif name in inside:
            assert await result_of(server.config(), store, people[name], "whoami") == name
        else:
            with raised(SignInNeededError, "sign in"):
                await result_of(server.config(), store, people[name], "whoami")


@pytest.mark.requirement("S2-10.3.3-url")
@pytest.mark.requirement("F6-5")
async def test_a_token_is_not_sent_to_another_resource_of_the_same_name_or_host(
    store: FileTokenStore,
):
    async with auth_server("/mcp", "/other") as server, auth_server() as stranger:
        await signed_in(server, store, ADA)
        for config in (server.config(path="/other"), stranger.config()):
            with raised(SignInNeededError, "sign in"):
                await result_of(config, store, ADA, "whoami")
        assert {token for path, token in server.bearers if path == "/other"} == {""}
        assert {token for _, token in stranger.bearers} == {""}
        await signed_in(server, store, ADA, server.config(path="/other"))
        assert await result_of(server.config(path="/other"), store, ADA, "whoami") == "ada"
        assert await result_of(server.config(), store, ADA, "whoami") == "ada"


async def test_a_registration_is_used_again_for_the_same_way_back_only(
    server: AuthServer, store: FileTokenStore
):
    sign_in = a_sign_in(store)
    for redirect_uri in (REDIRECT_URI, REDIRECT_URI, REDIRECT_URI.replace("19999", "19998")):
        url, _ = await sign_in.begin(ADA, server.config(), redirect_uri)
        await sign_in.finish(ADA, await server.consent(url))
    used = [urlsplit(one["redirect_uris"][0]).port for one in server.registrations]
    assert used == [19999, 19998]


@pytest.mark.requirement("F6-5")
async def test_our_client_document_is_our_id_where_it_is_read(
    server: AuthServer, store: FileTokenStore
):
    server.does.reads_documents = True
    sign_in = a_sign_in(store, document_url=DOCUMENT_URL)
    url, flow = await sign_in.begin(ADA, server.config(), PUBLIC_REDIRECT)
    assert flow.client.client_id == DOCUMENT_URL
    await sign_in.finish(ADA, await server.consent(url))
    assert await result_of(server.config(), store, ADA, "whoami") == "ada"
    assert server.registrations == []


@pytest.mark.requirement("S2-10.3.3-registration")
async def test_a_server_that_reads_no_documents_gets_a_registration(
    server: AuthServer, store: FileTokenStore
):
    sign_in = a_sign_in(store, document_url=DOCUMENT_URL)
    await sign_in.begin(ADA, server.config(), PUBLIC_REDIRECT)
    (asked,) = server.registrations
    assert (asked["redirect_uris"], asked["application_type"]) == ([PUBLIC_REDIRECT], "web")


@pytest.mark.requirement("F6-5")
@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
async def test_a_client_registered_beforehand_is_used_and_proves_itself(
    server: AuthServer, store: FileTokenStore, method: str
):
    server.does.registers = False
    server.does.auth_methods = [method]
    server.clients["known"] = {**KNOWN, "token_endpoint_auth_method": method}
    oauth = OAuthSettings(client_id="known", client_secret="s+cret/%")
    config = server.config(oauth=oauth)
    tokens = await signed_in(server, store, ADA, config)
    assert tokens.client.client_id == "known"
    assert await result_of(config, store, ADA, "whoami") == "ada"
    server.revoke_access()
    assert await result_of(config, store, ADA, "whoami") == "ada"
    assert server.renewals == 1


async def test_without_registration_and_client_the_person_is_told_what_to_do(
    server: AuthServer, store: FileTokenStore
):
    server.does.registers = False
    with pytest.raises(MCPServerError, match=r"registers no clients.*19999.*client_id"):
        await a_sign_in(store).begin(ADA, server.config(), REDIRECT_URI)


@pytest.mark.requirement("F6-5")
async def test_end_points_written_down_are_believed_and_nothing_is_looked_for(
    server: AuthServer, store: FileTokenStore
):
    server.clients["known"] = {**KNOWN, "token_endpoint_auth_method": "client_secret_post"}
    oauth = OAuthSettings(
        authorization_endpoint=server.url("/authorize?tenant=one"),
        token_endpoint=server.url("/token"),
        client_id="known",
        client_secret="s+cret/%",
        scopes=("read", "write"),
    )
    config = server.config(oauth=oauth)
    tokens = await signed_in(server, store, ADA, config)
    assert set(server.counts) == {"/authorize", "/token", "token authorization_code"}
    assert tokens.scope == "read write"
    assert await result_of(config, store, ADA, "write", text="it") == "wrote it"


async def test_a_server_of_the_older_transport_is_asked_as_it_speaks(
    server: AuthServer, store: FileTokenStore
):
    server.does.publishes_resource = False
    server.does.instead["GET /mcp"] = lambda: Response(
        status_code=401, headers={"WWW-Authenticate": 'Bearer scope="of-the-stream"'}
    )
    config = replace(server.config(), transport="sse")
    assert (await signed_in(server, store, ADA, config)).scope == "of-the-stream"


async def test_tokens_of_another_client_than_the_configured_one_are_not_used(
    server: AuthServer, store: FileTokenStore
):
    await signed_in(server, store, ADA)
    config = server.config(oauth=OAuthSettings(client_id="another"))
    with raised(SignInNeededError, "sign in"):
        await result_of(config, store, ADA, "whoami")


@pytest.mark.parametrize("publishes_server", [True, False])
async def test_a_server_of_the_first_revisions_is_found_at_its_own_origin(
    server: AuthServer, store: FileTokenStore, publishes_server: bool
):
    server.does.publishes_resource = False
    server.does.publishes_server = publishes_server
    server.does.names_metadata = False
    # It cannot have said that it would name itself, and then may not be held to it.
    server.does.sends_iss = publishes_server
    await signed_in(server, store, ADA)
    assert await result_of(server.config(), store, ADA, "whoami") == "ada"


@pytest.mark.parametrize(
    ("methods", "registered", "used"),
    [
        (["none"], {}, "none"),
        (None, {}, "none"),
        (["client_secret_basic"], {}, "client_secret_basic"),
        (["client_secret_post"], {}, "client_secret_post"),
        (["none"], {"token_endpoint_auth_method": ""}, "none"),
        (["client_secret_post"], {"token_endpoint_auth_method": ""}, "client_secret_post"),
        (
            ["none"],
            {"token_endpoint_auth_method": "client_secret_post", "client_secret": "given"},
            "client_secret_post",
        ),
    ],
)
async def test_we_prove_ourselves_as_the_registration_says(
    server: AuthServer,
    store: FileTokenStore,
    methods: list[str],
    registered: dict[str, str],
    used: str,
):
    server.does.auth_methods = methods
    server.does.registration_says = registered
    tokens = await signed_in(server, store, ADA)
    assert tokens.client.auth_method == used
    assert await result_of(server.config(), store, ADA, "whoami") == "ada"


@pytest.mark.parametrize(
    "registered",
    [
        {"token_endpoint_auth_method": "private_key_jwt"},
        {"token_endpoint_auth_method": "client_secret_post"},
        {"client_id": None},
    ],
)
async def test_a_registration_we_cannot_use_is_refused_before_anybody_visits_a_page(
    server: AuthServer, store: FileTokenStore, registered: dict[str, str]
):
    server.does.registration_says = registered
    server.clients[None] = {}  # pyright: ignore[reportArgumentType]
    with pytest.raises(MCPServerError, match=r"registered us|did not register us"):
        await a_sign_in(store).begin(ADA, server.config(), REDIRECT_URI)


@pytest.mark.parametrize(
    ("server_scopes", "wanted", "got"),
    [
        (None, ((), ""), "read"),
        (["read", "offline_access"], ((), ""), "read offline_access"),
        (None, (("a", "b"), ""), "a b"),
        (None, (("a",), "read write"), "read write"),
    ],
)
async def test_scopes_are_those_asked_for_then_those_written_down_then_the_servers(
    server: AuthServer,
    store: FileTokenStore,
    server_scopes: list[str] | None,
    wanted: tuple[tuple[str, ...], str],
    got: str,
):
    config_scopes, asked = wanted
    server.does.server_scopes = server_scopes
    config = server.config(oauth=OAuthSettings(scopes=config_scopes))
    assert (await signed_in(server, store, ADA, config, asked)).scope == got
