"""People over HTTP: keys, cookies, CSRF, pages, errors; the whole application on SQLite."""

from collections.abc import AsyncGenerator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.server.fixtures import MakeApi

KEY = "the-operators-first-key"
BOSS = {"X-API-Key": KEY}
PASSWORD = "correct horse battery"
ORIGIN = "http://127.0.0.1:8000"


@pytest.fixture
async def http(make_api: MakeApi) -> AsyncGenerator[httpx.AsyncClient]:
    async with make_api(api_keys=f'["{KEY}", "another-good-key"]') as client:
        yield client


async def added(http: httpx.AsyncClient, name: str, role: str = "member") -> str:
    body = {"username": name, "role": role, "password": PASSWORD}
    answer = await http.post("/api/v1/members", json=body, headers=BOSS)
    assert answer.status_code == 201, answer.text
    return answer.json()["user_id"]


async def signed_in(http: httpx.AsyncClient, name: str) -> dict[str, str]:
    answer = await http.post("/api/v1/auth/login", json={"username": name, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return {"X-CSRF-Token": answer.json()["csrf_token"], "Origin": ORIGIN}


@pytest.mark.requirement("S0-31")
@pytest.mark.parametrize("key", [KEY, "another-good-key"])
async def test_s0_property_31_every_configured_key_passes(http: httpx.AsyncClient, key: str):
    for headers in ({"X-API-Key": key}, {"Authorization": f"Bearer {key}"}):
        answer = await http.get("/api/v1/auth/me", headers=headers)
        assert (answer.status_code, answer.json()["role"]) == (200, "owner")


@pytest.mark.requirement("S0-30")
@pytest.mark.parametrize(
    "headers",
    [{}, {"X-API-Key": "wrong-key"}, {"X-API-Key": ""}, {"X-API-Key": KEY, "Authorization": "Bearer other"},
     {"Authorization": "Bearer"}, {"Cookie": "dataagent_session=x"}],
)  # fmt: skip
@pytest.mark.parametrize(
    "path", ["auth/me", "keys", "tenants", "members", "projects", "model-credentials"]
)
async def test_s0_property_30_without_a_valid_key_there_is_401(
    http: httpx.AsyncClient, headers: dict[str, str], path: str
):
    answer = await http.get(f"/api/v1/{path}", headers=headers)
    assert (answer.status_code, answer.json()["error_code"]) == (401, "UNAUTHENTICATED")


async def test_a_key_is_made_used_and_revoked(http: httpx.AsyncClient):
    made = await http.post(
        "/api/v1/keys", json={"name": "laptop", "scopes": ["read"]}, headers=BOSS
    )
    assert (made.status_code, made.headers["cache-control"]) == (201, "no-store")
    mine = {"X-API-Key": made.json()["secret"]}
    key_id = made.json()["key"]["key_id"]
    assert (await http.get(f"/api/v1/keys/{key_id}", headers=mine)).json()["scopes"] == ["read"]
    refused = await http.post("/api/v1/keys", json={"name": "more"}, headers=mine)
    assert (refused.status_code, refused.json()["error_code"]) == (403, "PERMISSION_DENIED")
    assert made.json()["secret"] not in (await http.get("/api/v1/keys", headers=BOSS)).text
    assert (await http.delete(f"/api/v1/keys/{key_id}", headers=BOSS)).status_code == 204
    assert (await http.get("/api/v1/auth/me", headers=mine)).status_code == 401


async def test_a_browser_signs_in_acts_and_signs_out(http: httpx.AsyncClient):
    await added(http, "ann")
    answer = await http.post("/api/v1/auth/login", json={"username": "Ann", "password": PASSWORD})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    ours = {"X-CSRF-Token": answer.json()["csrf_token"], "Origin": ORIGIN}
    me = (await http.get("/api/v1/auth/me")).json()
    assert (me["csrf_token"], me["name"]) == (ours["X-CSRF-Token"], "ann")
    assert answer.json()["name"] == "ann"
    body = {"name": "Sales"}
    for wrong in ({}, {"Origin": ORIGIN}, ours | {"Origin": "https://evil.example"}):
        refused = await http.post("/api/v1/projects", json=body, headers=wrong)
        assert refused.status_code == 403
    assert (await http.post("/api/v1/projects", json=body, headers=ours)).status_code == 201
    assert (await http.post("/api/v1/auth/logout", headers=ours)).status_code == 204
    assert (await http.get("/api/v1/auth/me")).status_code == 401


async def test_behind_https_the_cookie_is_secure_and_bound_to_the_host(make_api: MakeApi):
    async with make_api(api_keys=f'["{KEY}"]', public_url="https://agent.example") as http:
        await added(http, "ann")
        answer = await http.post(
            "/api/v1/auth/login", json={"username": "ann", "password": PASSWORD}
        )
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-dataagent_session=")
        assert "Secure" in cookie
        assert "Path=/" in cookie
        plain = cookie.partition(";")[0].removeprefix("__Host-")
        assert (await http.get("/api/v1/auth/me", headers={"Cookie": plain})).status_code == 401


async def test_a_sign_in_url_works_once(http: httpx.AsyncClient):
    user_id = await added(http, "ann")
    made = await http.post(f"/api/v1/users/{user_id}/sign-in-urls", headers=BOSS)
    url = urlsplit(made.json()["url"])
    first = await http.get(f"{url.path}?{url.query}")
    assert (first.status_code, first.headers["location"]) == (303, "/")
    assert (await http.get("/api/v1/auth/me")).json()["user_id"] == user_id
    assert (await http.get(f"{url.path}?{url.query}")).status_code == 401


async def test_paths_of_a_user_are_for_oneself_or_an_admin(http: httpx.AsyncClient):
    ann, bob = await added(http, "ann"), await added(http, "bob")
    await signed_in(http, "ann")
    assert (await http.get(f"/api/v1/users/{ann}")).json()["username"] == "ann"
    assert (await http.get(f"/api/v1/users/{bob}")).status_code == 403
    assert (await http.get("/api/v1/users/nobody")).status_code == 403
    assert (await http.get(f"/api/v1/users/{bob}", headers=BOSS)).json()["username"] == "bob"
    assert (await http.get("/api/v1/users/nobody", headers=BOSS)).status_code == 404


async def test_another_tenant_answers_as_a_missing_one(http: httpx.AsyncClient):
    made = await http.post(
        "/api/v1/tenants", json={"name": "Acme", "tenant_id": "acme"}, headers=BOSS
    )
    assert made.json()["limits"]["max_users"] == 100
    await added(http, "ann", "admin")
    await signed_in(http, "ann")
    for method in ("GET", "PATCH"):
        answers = [
            await http.request(
                method,
                f"/api/v1/tenants/{name}",
                json={"name": "x"},
                headers=await signed_in(http, "ann"),
            )
            for name in ("acme", "none")
        ]
        assert [a.status_code for a in answers] == [404, 404]
        assert answers[0].json()["message"].replace("acme", "none") == answers[1].json()["message"]


async def test_credentials_show_only_the_end_of_a_key(http: httpx.AsyncClient):
    secret = "sk-0123456789-wxyz"
    put = await http.put("/api/v1/model-credentials/openai", json={"key": secret}, headers=BOSS)
    assert (put.status_code, put.json()["last_four"]) == (200, "wxyz")
    listed = await http.get("/api/v1/model-credentials", headers=BOSS)
    assert secret not in listed.text + put.text
    refused = await http.put(
        "/api/v1/model-credentials/openai",
        json={"key": secret, "base_url": "http://169.254.169.254"},
        headers=BOSS,
    )
    assert (refused.status_code, refused.json()["error_code"]) == (422, "VALIDATION_ERROR")
    assert secret not in refused.text


async def test_a_secret_in_a_wrong_request_is_not_sent_back(http: httpx.AsyncClient):
    body = {"username": "ann", "password": "x" * 2_000, "more": 1}
    refused = await http.post("/api/v1/auth/login", json=body)
    assert refused.status_code == 422
    assert "xxxx" not in refused.text


async def test_a_list_comes_in_pages(http: httpx.AsyncClient):
    for number in range(5):
        await http.post("/api/v1/projects", json={"name": f"p{number}"}, headers=BOSS)
    first = (await http.get("/api/v1/projects?limit=3", headers=BOSS)).json()
    rest = (await http.get(f"/api/v1/projects?limit=3&after={first['next']}", headers=BOSS)).json()
    assert [p["name"] for p in first["items"] + rest["items"]] == [f"p{n}" for n in range(5)]
    assert rest["next"] is None
    assert (await http.get("/api/v1/projects?limit=0", headers=BOSS)).status_code == 422
    assert (await http.get("/api/v1/projects?after=nowhere", headers=BOSS)).status_code == 422


async def test_guessing_passwords_is_429_with_a_time_to_come_back(http: httpx.AsyncClient):
    statuses = [
        (await http.post("/api/v1/auth/login", json={"username": "ann", "password": "wrong"}))
        for _ in range(7)
    ]
    assert {answer.status_code for answer in statuses} == {401, 429}
    assert int(statuses[-1].headers["retry-after"]) > 0


async def test_a_ticket_is_handed_out(http: httpx.AsyncClient):
    made = await http.post("/api/v1/ws-tickets", json={"session_id": "s1"}, headers=BOSS)
    assert (made.status_code, made.json()["expires_in"]) == (201, 30)
