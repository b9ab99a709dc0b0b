"""Every request has an id, in its answer, its error and its log lines (S0 property 35)."""

import asyncio
import json
import logging
from collections.abc import Generator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from operations import Asked, requests

from dataagent_server.common.logs.formats import JsonLines
from dataagent_server.common.logs.request_id import current_request_id


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


class Lines(logging.Handler):
    """The log as it is written, line by line."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(JsonLines())
        self.written: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.written.append(json.loads(self.format(record)))


@pytest.fixture
def access_log() -> Generator[Lines]:
    lines, log = Lines(), logging.getLogger("dataagent_server.access")
    before = log.level
    log.addHandler(lines)
    log.setLevel(logging.DEBUG)
    yield lines
    log.removeHandler(lines)
    log.setLevel(before)


@pytest.fixture
async def given_ids() -> set[str]:
    """Every id that was given out, over all examples."""
    return set()


own_ids = st.none() | st.text(max_size=80) | st.from_regex(r"[a-z0-9._:-]{1,64}", fullmatch=True)
some = requests() | st.text(st.characters(categories=["L", "N"]), max_size=10).map(
    lambda name: Asked("GET", f"/{name}")
)


@pytest.mark.requirement("S0-35")
@given(asked=st.lists(st.tuples(some, own_ids), min_size=1, max_size=5))
async def test_s0_35_every_request_has_an_id_of_its_own_in_its_answer_and_in_the_log(
    api: httpx.AsyncClient,
    access_log: Lines,
    given_ids: set[str],
    asked: list[tuple[Asked, str | None]],
):
    access_log.written.clear()

    async def ask(one: Asked, own: str | None) -> httpx.Response:
        named = {} if own is None else {"x-request-id": own.encode()}
        headers = {name.encode(): value.encode() for name, value in one.headers.items()}
        headers |= {name.encode(): value for name, value in named.items()}
        return await api.request(one.method, one.path, content=one.content, headers=headers)

    # At once: the id of one must not be told to another.
    answers = await asyncio.gather(*(ask(one, own) for one, own in asked))
    for answer, (_, own) in zip(answers, asked, strict=True):
        request_id = answer.headers["x-request-id"]
        assert 1 <= len(request_id) <= 64
        assert request_id.isascii()
        assert request_id.isprintable()
        if request_id != own:
            assert request_id not in given_ids
            given_ids.add(request_id)
        if answer.status_code >= 400:
            assert answer.json()["request_id"] == request_id
    told = sorted((a.headers["x-request-id"], a.status_code) for a in answers)
    assert sorted((line["request_id"], line["status"]) for line in access_log.written) == told


@pytest.mark.parametrize("own", ["", " ", "a b", "ü", "x" * 65, "-x", "a\tb", "a/b"])
async def test_an_id_that_could_do_harm_is_not_taken(api: httpx.AsyncClient, own: str):
    answer = await api.get("/nothing", headers={b"x-request-id": own.encode()})
    assert answer.headers["x-request-id"] not in {"", own}
