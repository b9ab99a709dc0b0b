"""Tokens of an issuer the operator names: whose they are, what they allow, which are refused."""

import json
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from fastmcp.server.auth.providers.jwt import RSAKeyPair
from jwt.algorithms import RSAAlgorithm
from live_server import LiveServer, open_live_server
from mcp_client import code_of, mcp_client

from tests.server.fixtures import MakeSettings

PUBLIC = "https://data.example.com"
RESOURCE = f"{PUBLIC}/mcp"


@dataclass
class Issuer:
    """An issuer on this machine: metadata, keys, and tokens signed with them."""

    url: str = ""
    keys: RSAKeyPair = field(default_factory=RSAKeyPair.generate)

    def documents(self) -> dict[str, Any]:
        public: Any = load_pem_public_key(self.keys.public_key.encode())
        key = json.loads(RSAAlgorithm.to_jwk(public))
        found = {"/keys": {"keys": [{**key, "kid": "k", "alg": "RS256", "use": "sig"}]}}
        metadata = {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        return found | {"/.well-known/openid-configuration": metadata}

    def token(self, subject: str, **changes: Any) -> dict[str, str]:
        made: dict[str, Any] = {
            "issuer": self.url,
            "audience": RESOURCE,
            "scopes": ["data:read", "files:read"],
            "kid": "k",
            "keys": self.keys,
        } | changes
        keys: RSAKeyPair = made.pop("keys")
        return {"Authorization": f"Bearer {keys.create_token(subject=subject, **made)}"}


@pytest.fixture
def issuer() -> Generator[Issuer]:
    made = Issuer()

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = made.documents().get(self.path)
            body = json.dumps(found).encode()
            self.send_response(200 if found else 404)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002 (the library's name)

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        made.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield made
        finally:
            server.shutdown()
            thread.join()


@asynccontextmanager
async def trusting(make_settings: MakeSettings, issuer: Issuer) -> AsyncGenerator[LiveServer]:
    settings = make_settings(mcp_oauth_issuer=issuer.url, public_url=PUBLIC)
    async with open_live_server(settings) as live:
        yield live


async def status(live: LiveServer, headers: dict[str, str]) -> tuple[int, str]:
    answer = await live.http.post("/mcp", json={}, headers=headers)
    return answer.status_code, answer.headers.get("www-authenticate", "")


async def test_a_token_s_holder_uses_what_both_token_and_role_allow(
    make_settings: MakeSettings, issuer: Issuer
):
    async with trusting(make_settings, issuer) as live:
        ann = await live.person()
        for subject in (ann.who.user_id, "ann"):
            async with mcp_client(live, issuer.token(subject)) as client:
                names = {tool.name for tool in (await client.list_tools()).tools}
                assert {"sql_query", "read_file"} <= names
                assert not names & {"write_file", "ask_agent", "sql_write"}
                assert not (await client.call_tool("ls", {"path": "/"})).is_error
                refused = await client.call_tool("ask_agent", {"message": "hi"})
                assert code_of(refused) == "PERMISSION_DENIED"


async def test_the_tenant_claim_names_the_tenant(make_settings: MakeSettings, issuer: Issuer):
    async with trusting(make_settings, issuer) as live:
        other = await live.tenant("other")
        await live.person("bob", tenant_id=other)
        there = issuer.token("bob", additional_claims={"tenant": "other"})
        async with mcp_client(live, there) as client:
            assert not (await client.call_tool("ls", {"path": "/"})).is_error
        assert (await status(live, issuer.token("bob")))[0] == 401


@pytest.mark.parametrize(
    "changes",
    [
        {"audience": "https://elsewhere.example/mcp"},
        {"issuer": "https://elsewhere.example"},
        {"expires_in_seconds": -60},
        {"keys": RSAKeyPair.generate()},
        {"additional_claims": {"tenant": "no-such-tenant"}},
        {"additional_claims": {"tenant": {"a": 1}}, "subject": "nobody"},
    ],
    ids=["audience", "issuer", "expired", "signature", "tenant", "claims"],
)
async def test_any_other_token_is_nobody_s(
    make_settings: MakeSettings, issuer: Issuer, changes: dict[str, Any]
):
    async with trusting(make_settings, issuer) as live:
        await live.person()
        code, challenge = await status(live, issuer.token(**{"subject": "ann"} | changes))
        assert code == 401
        where = f"{PUBLIC}/.well-known/oauth-protected-resource/mcp"
        assert f'resource_metadata="{where}"' in challenge


async def test_a_token_without_our_scopes_is_told_which_it_needs(
    make_settings: MakeSettings, issuer: Issuer
):
    async with trusting(make_settings, issuer) as live:
        await live.person()
        code, challenge = await status(live, issuer.token("ann", scopes=["email"]))
        assert code == 403
        assert 'error="insufficient_scope"' in challenge
        assert "data:read" in challenge


async def test_metadata_tells_who_issues_tokens_for_what(
    make_settings: MakeSettings, issuer: Issuer
):
    async with trusting(make_settings, issuer) as live:
        told = await live.http.get("/.well-known/oauth-protected-resource/mcp")
        assert told.json()["resource"] == RESOURCE
        assert told.json()["authorization_servers"] == [issuer.url]


async def test_keys_still_count_beside_tokens(make_settings: MakeSettings, issuer: Issuer):
    async with trusting(make_settings, issuer) as live:
        ann = await live.person()
        async with mcp_client(live, {"Authorization": f"Bearer {ann.key}"}) as client:
            assert not (await client.call_tool("ls", {"path": "/"})).is_error


async def test_without_an_issuer_a_token_is_no_key(live: LiveServer, issuer: Issuer):
    await live.person()
    assert (await status(live, issuer.token("ann")))[0] == 401
    told = await live.http.get("/.well-known/oauth-protected-resource/mcp")
    assert told.status_code == 404
