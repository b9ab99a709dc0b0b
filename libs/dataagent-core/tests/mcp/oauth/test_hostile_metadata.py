"""What servers say about themselves is a stranger's word."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from mcp_auth_server import REDIRECT_URI, AuthServer
from mcp_people import ADA, a_sign_in
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from dataagent_core.errors import MCPServerError, ToolExecutionError
from dataagent_core.mcp.config import OAuthSettings
from dataagent_core.mcp.oauth import FileTokenStore
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp
from dataagent_core.mcp.transports.http.http_client import BoundedClient
from dataagent_core.sandbox.network.addresses import Address

RESOURCE = "/.well-known/oauth-protected-resource/mcp"
SERVER = "/.well-known/oauth-authorization-server"


async def refused(server: AuthServer, store: FileTokenStore, match: str) -> None:
    with pytest.raises(MCPServerError, match=match) as found:
        await a_sign_in(store).begin(ADA, server.config(), REDIRECT_URI)
    assert len(str(found.value)) < 1000
    assert not {"/register", "/authorize", "/token"} & set(server.counts)


@pytest.mark.parametrize(
    ("says", "match"),
    [
        ({"resource": "https://bank.example/mcp"}, "tokens for the one are not to be sent"),
        ({"resource": "http://127.0.0.1:1/mcp"}, "tokens for the one"),
        ({"authorization_servers": ["http://evil.example"]}, "as its authorization server"),
        ({"authorization_servers": ["https://u:p@evil.example"]}, "as its authorization server"),
    ],
)
async def test_a_resource_that_pretends_is_refused(
    server: AuthServer, store: FileTokenStore, says: dict[str, Any], match: str
):
    server.does.resource_says = says
    await refused(server, store, match)


@pytest.mark.parametrize(
    ("says", "match"),
    [
        ({"issuer": "https://bank.example"}, "pretends to be the other"),
        ({"code_challenge_methods_supported": ["plain"]}, "PKCE with S256"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "publishes no metadata"),
        ({"authorization_endpoint": "http://evil.example/a"}, "as its authorization end point"),
        ({"authorization_endpoint": "https://evil.example/a#f"}, "as its authorization end point"),
        ({"token_endpoint": "http://10.0.0.1/token"}, "as its token end point"),
        ({"token_endpoint": "file:///etc/passwd"}, "publishes no metadata"),
        ({"registration_endpoint": "http://evil.example/r"}, "as its registration end point"),
        ({"token_endpoint": "https://evil.example/" + "a" * 5000}, "as its token end point"),
        ({"token_endpoint_auth_methods_supported": ["tls_client_auth"]}, "tls_client_auth"),
    ],
)
async def test_an_authorization_server_that_pretends_or_is_careless_is_refused(
    server: AuthServer, store: FileTokenStore, says: dict[str, Any], match: str
):
    server.does.server_says = says
    await refused(server, store, match)


@pytest.mark.parametrize("field", ["authorization_endpoint", "token_endpoint"])
@pytest.mark.parametrize("url", ["javascript:alert(1)", "http://evil.example/x", "//x", "https://"])
async def test_end_points_written_down_wrongly_are_refused_too(
    server: AuthServer, store: FileTokenStore, field: str, url: str
):
    both = OAuthSettings(
        authorization_endpoint=server.url("/authorize"),
        token_endpoint=server.url("/token"),
        client_id="known",
    )
    for right in (both, OAuthSettings(client_id="known")):
        config = server.config(oauth=replace(right, **{field: url}))
        with pytest.raises(MCPServerError, match="no https address"):
            await a_sign_in(store).begin(ADA, config, REDIRECT_URI)


async def test_a_careless_revocation_end_point_is_left_out(
    server: AuthServer, store: FileTokenStore
):
    server.does.server_says = {"revocation_endpoint": "http://evil.example/r"}
    _, flow = await a_sign_in(store).begin(ADA, server.config(), REDIRECT_URI)
    assert flow.revocation_endpoint == ""


async def test_metadata_silent_about_pkce_is_tolerated(server: AuthServer, store: FileTokenStore):
    server.does.server_says = {"code_challenge_methods_supported": None}
    assert await a_sign_in(store).begin(ADA, server.config(), REDIRECT_URI)


@pytest.mark.parametrize("path", [RESOURCE, SERVER])
async def test_an_answer_without_end_is_cut_off(
    server: AuthServer, store: FileTokenStore, path: str
):
    async def endless():
        while True:
            yield b" " * 65_536
            await asyncio.sleep(0)

    server.does.instead[path] = lambda: StreamingResponse(endless())
    await refused(server, store, "larger than 262144 bytes")


@pytest.mark.parametrize("path", [RESOURCE, SERVER])
async def test_a_packed_answer_is_not_unpacked(
    server: AuthServer, store: FileTokenStore, path: str
):
    packed = {"Content-Encoding": "gzip"}
    server.does.instead[path] = lambda: Response(b"\x1f\x8b", headers=packed)
    await refused(server, store, "packed its answer")


@pytest.mark.parametrize("status", [500, 503, 429])
@pytest.mark.parametrize("path", [RESOURCE, SERVER])
async def test_a_failing_server_is_not_taken_for_one_without_metadata(
    server: AuthServer, store: FileTokenStore, path: str, status: int
):
    server.does.instead[path] = lambda: Response(status_code=status)
    await refused(server, store, f"answered {status}. Try again later")


async def test_a_redirect_is_not_followed(server: AuthServer, store: FileTokenStore):
    trap = server.url("/trap")
    for path in (SERVER, "/.well-known/openid-configuration"):
        server.does.instead[path] = lambda: RedirectResponse(trap)
    server.does.instead["/trap"] = lambda: JSONResponse({})
    await refused(server, store, "publishes no metadata")
    assert server.counts["/trap"] == 0


@pytest.mark.parametrize("url", ["http://169.254.169.254/", "ftp://x/y", "https://u:p@x/"])
async def test_a_refusal_cannot_send_us_anywhere(
    server: AuthServer, store: FileTokenStore, url: str
):
    challenge = {"WWW-Authenticate": f'Bearer resource_metadata="{url}"'}
    server.does.instead["/mcp"] = lambda: Response(status_code=401, headers=challenge)
    await refused(server, store, "as its resource metadata")


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff" * 100, b"[" * 100_000, b"1e999"])
@pytest.mark.parametrize("path", [RESOURCE, SERVER])
async def test_nonsense_is_told_apart_from_metadata(
    server: AuthServer, store: FileTokenStore, path: str, body: bytes
):
    server.does.instead[path] = lambda: Response(body)
    server.does.publishes_server = server.does.publishes_server and path != RESOURCE
    server.does.instead["/mcp"] = lambda: Response(status_code=404)
    await refused(server, store, "publishes no metadata|does not ask for a sign-in")


async def test_a_server_that_never_answers_is_given_up(server: AuthServer):
    async def never():
        await asyncio.Event().wait()
        yield b""

    server.does.instead["/slow"] = lambda: StreamingResponse(never())
    with pytest.raises(MCPServerError, match=r"did not answer in 0\.2 seconds"):
        await BoundedHttp("notes", timeout_s=0.2).get(server.url("/slow"))


async def test_a_server_that_is_down_is_said_so(server: AuthServer, store: FileTokenStore):
    config = replace(server.config(), url="http://127.0.0.1:1/mcp")
    with pytest.raises(
        MCPServerError, match=r"'notes' cannot be signed in at: .* cannot be reached"
    ):
        await a_sign_in(store).begin(ADA, config, REDIRECT_URI)


async def test_an_address_that_may_not_be_dialled_is_not(server: AuthServer, store: FileTokenStore):
    judged: list[tuple[str, int]] = []

    def nothing(host: str, port: int, addresses: Sequence[Address]) -> Sequence[Address]:
        judged.append((host, port))
        raise ToolExecutionError(f"{host} is an address of this network, which is not visited.")

    sign_in = a_sign_in(store, client_factory=lambda: BoundedClient(nothing))
    with pytest.raises(MCPServerError, match="is an address of this network"):
        await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    assert judged == [("127.0.0.1", server.port)]
    assert not server.counts


async def test_every_request_of_a_sign_in_goes_through_the_client_it_is_given(
    server: AuthServer, store: FileTokenStore
):
    judged: list[int] = []

    def anything(host: str, port: int, addresses: Sequence[Address]) -> Sequence[Address]:
        judged.append(port)
        return addresses

    sign_in = a_sign_in(store, client_factory=lambda: BoundedClient(anything))
    url, _ = await sign_in.begin(ADA, server.config(), REDIRECT_URI)
    answer = await server.consent(url)
    await sign_in.finish(ADA, answer)
    await sign_in.sign_out(ADA, server.config())
    counted_twice = server.counts["token authorization_code"]
    assert len(judged) == server.counts.total() - server.counts["/authorize"] - counted_twice
