"""What browsers are told: headers that protect, which web sites may call, and who is local."""

import httpx
import pytest

from dataagent_server.api.middleware.security_headers import HEADERS
from tests.server.fixtures import MakeApi

CONSOLE = "https://console.example.com"
PREFLIGHT = {"origin": CONSOLE, "access-control-request-method": "POST"}


@pytest.mark.parametrize("path", ["/api/v1/health", "/nothing", "/probe/boom"])
async def test_every_answer_carries_the_protecting_headers(api: httpx.AsyncClient, path: str):
    answer = await api.get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize("path", ["/", "/api/docs"])
async def test_a_page_allows_itself_its_own_style_and_nothing_from_elsewhere(
    api: httpx.AsyncClient, path: str
):
    answer = await api.get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "<script" not in answer.text
    assert "src=" not in answer.text
    assert 'rel="stylesheet"' not in answer.text


async def test_https_is_insisted_on_where_people_come_by_https(make_api: MakeApi):
    async with make_api(public_url="https://agent.example.com") as api:
        answer = await api.get("/api/v1/health")
    assert "max-age" in answer.headers["strict-transport-security"]


async def test_without_origins_no_web_site_is_let_in(api: httpx.AsyncClient):
    answer = await api.get("/api/v1/health", headers={"origin": CONSOLE})
    assert "access-control-allow-origin" not in answer.headers


async def test_a_named_origin_may_call_with_its_cookie(make_api: MakeApi):
    async with make_api(cors_origins=f'["{CONSOLE}"]') as api:
        answer = await api.get("/nothing", headers={"origin": CONSOLE})
        preflight = await api.options("/probe/echo", headers=PREFLIGHT)
    assert answer.headers["access-control-allow-origin"] == CONSOLE
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert "X-Request-ID" in answer.headers["access-control-expose-headers"]
    assert preflight.status_code == 200


async def test_another_origin_is_refused_in_the_one_form(make_api: MakeApi):
    async with make_api(cors_origins=f'["{CONSOLE}"]') as api:
        headers = PREFLIGHT | {"origin": "https://evil.example"}
        preflight = await api.options("/probe/echo", headers=headers)
        answer = await api.get("/nothing", headers={"origin": "https://evil.example"})
    assert (preflight.status_code, preflight.json()["error_code"]) == (403, "PERMISSION_DENIED")
    assert "access-control-allow-origin" not in preflight.headers
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"origin": "https://evil.example"},
        {"x-forwarded-for": "127.0.0.1"},
        {"host": "127.0.0.1.evil.example:8000"},
        {"host": "["},
    ],
)
async def test_without_authentication_a_web_site_cannot_reach_in(
    make_api: MakeApi, headers: dict[str, str]
):
    async with make_api(auth_disabled="true") as api:
        answer = await api.get("/api/v1/health", headers=headers)
    assert (answer.status_code, answer.json()["error_code"]) == (403, "PERMISSION_DENIED")


async def test_without_authentication_this_machine_is_let_in(make_api: MakeApi):
    async with make_api(auth_disabled="true") as api:
        assert (await api.get("/probe/me")).json() == "local"
