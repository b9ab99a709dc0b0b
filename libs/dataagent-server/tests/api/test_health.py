"""Health, readiness, version, metrics (S0 properties 24, 34)."""

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.errors import StorageError
from dataagent_server.api.models.health import HealthResponse
from dataagent_server.composition.readiness import failed_checks
from tests.counts import examples
from tests.server.fixtures import MakeApi, app_of


async def test_health_says_status_version_and_uptime(api: httpx.AsyncClient):
    first = (await api.get("/api/v1/health")).json()
    second = (await api.get("/api/v1/health")).json()
    assert (first["status"], first["version"]) == ("ok", "0.1.0")
    assert 0 <= first["uptime"] <= second["uptime"]


@pytest.mark.requirement("S0-34")
@given(
    query=st.dictionaries(st.text(min_size=1, max_size=5), st.text(max_size=5), max_size=3),
    accept=st.sampled_from(["*/*", "text/html", "application/json", "x"]),
)
async def test_s0_34_health_always_has_status_version_and_uptime(
    api: httpx.AsyncClient, query: dict[str, str], accept: str
):
    try:
        answer = await api.get("/api/v1/health", params=query, headers={"accept": accept})
    except UnicodeEncodeError:  # a lone surrogate cannot be sent at all
        return
    assert answer.status_code == 200
    HealthResponse.model_validate(answer.json())
    assert {"status", "version", "uptime"} <= set(answer.json())


async def test_ready_names_what_was_asked(api: httpx.AsyncClient):
    answer = await api.get("/api/v1/ready")
    assert answer.status_code == 200
    assert {"database", "migrations", "disk"} <= set(answer.json()["checks"])


async def test_a_stopping_server_is_alive_and_not_ready(api: httpx.AsyncClient):
    app_of(api).state.services.stopping.set()
    assert (await api.get("/api/v1/health")).json()["status"] == "stopping"
    answer = await api.get("/api/v1/ready")
    assert (answer.status_code, answer.json()["error_code"]) == (503, "OVERLOADED")


async def test_a_redis_that_is_away_makes_the_server_not_ready(make_api: MakeApi):
    async with make_api(redis_url="redis://127.0.0.1:9") as api:
        answer = await api.get("/api/v1/ready")
        health = await api.get("/api/v1/health")
    assert answer.status_code == 503
    assert answer.json()["details"]["checks"]["redis"] == "failed"
    assert answer.json()["details"]["checks"]["database"] == "ok"
    assert health.status_code == 200


async def test_a_check_that_fails_is_the_only_one_named():
    async def well() -> None:
        return

    async def ill() -> None:
        raise StorageError("gone")

    assert await failed_checks({"a": well, "b": ill}) == {"b"}


async def test_metrics_count_requests_by_pattern_not_by_path(api: httpx.AsyncClient):
    await api.get("/api/v1/health")
    await api.get("/secret-path-1")
    answer = await api.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    assert 'route="/api/v1/health",status="200"} 1.0' in answer.text
    assert "secret-path" not in answer.text
    assert 'route="unmatched",status="404"} 1.0' in answer.text


async def test_metrics_are_not_for_strangers(make_api: MakeApi):
    async with make_api() as api:
        answer = await api.get("/metrics", headers={"x-forwarded-for": "10.0.0.1"})
    assert (answer.status_code, answer.json()["error_code"]) == (403, "PERMISSION_DENIED")


async def test_with_a_token_metrics_are_for_who_shows_it(make_api: MakeApi):
    async with make_api(metrics_token="scrape-me") as api:
        statuses = [
            (await api.get("/metrics", headers={"authorization": f"Bearer {token}"})).status_code
            for token in ("scrape-me", "wrong")
        ]
    assert statuses == [200, 403]


async def test_two_applications_count_apart(make_api: MakeApi):
    async with make_api() as one, make_api() as other:
        await one.get("/api/v1/health")
        assert "/api/v1/health" not in (await other.get("/metrics")).text


@pytest.mark.requirement("S0-24")
@settings(max_examples=examples(100))
@given(
    path=st.sampled_from(["/api/v1/health", "/api/v1/ready", "/api/v1/version", "/api/v1/sessions"])
    | st.text(st.characters(categories=["L", "N"]), max_size=10).map("/api/v1/{}".format),
    method=st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PURGE"]),
    body=st.binary(max_size=20),
)
async def test_s0_24_the_api_answers_in_json_whatever_is_asked(
    api: httpx.AsyncClient, path: str, method: str, body: bytes
):
    answer = await api.request(method, path, content=body)
    assert answer.status_code == 204 or answer.headers["content-type"] == "application/json"
