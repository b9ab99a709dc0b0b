"""Every request has an id, in its answer, its error and its log lines (S0 property 35)."""

import json
import logging

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_server.logs.formats import JsonLines
from dataagent_server.logs.request_id import accepted_request_id, current_request_id


async def test_a_request_gets_a_fresh_id(api: httpx.AsyncClient):
    first = await api.get("/api/v1/health")
    second = await api.get("/api/v1/health")
    assert first.headers["x-request-id"] != second.headers["x-request-id"]


async def test_a_callers_own_id_is_kept(api: httpx.AsyncClient):
    answer = await api.get("/nothing", headers={"x-request-id": "trace-1.a:b"})
    assert answer.headers["x-request-id"] == answer.json()["request_id"] == "trace-1.a:b"


async def test_the_id_does_not_outlive_its_request(api: httpx.AsyncClient):
    await api.get("/api/v1/health")
    assert current_request_id.get() == ""


@pytest.mark.requirement("S0-35")
@given(sent=st.none() | st.text(max_size=100))
def test_s0_35_every_request_has_an_id_that_is_harmless_in_headers_and_logs(sent: str | None):
    given_id = accepted_request_id(sent)
    assert 1 <= len(given_id) <= 64
    assert given_id.isascii()
    assert given_id.isprintable()
    token = current_request_id.set(given_id)
    try:
        record = logging.makeLogRecord({"msg": "a fact", "levelname": "INFO", "name": "x"})
        assert json.loads(JsonLines().format(record))["request_id"] == given_id
    finally:
        current_request_id.reset(token)
