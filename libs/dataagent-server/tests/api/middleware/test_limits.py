"""Bodies, rates, room and time are bounded, and a refusal says what to do."""

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from dataagent_server.api.middleware.caller import identify_credential
from dataagent_server.api.middleware.rate_limit.known_callers import LocalKnownCallers
from dataagent_server.api.middleware.rate_limit.token_bucket import TokenBuckets
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.identity.auth.principal import operator
from dataagent_server.sessions.live.fair_share import FairShare
from dataagent_server.settings.limits import KNOWN_CALLER_S
from tests.server.fixtures import MakeApi, app_of


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 (the middleware raises no event of its own)
            await asyncio.sleep(0)


async def test_a_body_announced_too_large_is_refused_before_it_is_read(make_api: MakeApi):
    async with make_api(max_body_bytes="1000") as api:
        headers = {"content-length": "1001", "content-type": "application/json"}
        answer = await api.post("/probe/raw", content=b"", headers=headers)
    assert (answer.status_code, answer.json()["error_code"]) == (413, "PAYLOAD_TOO_LARGE")
    assert answer.json()["details"] == {"max_bytes": 1000}


@pytest.mark.parametrize("path", ["/probe/raw", "/probe/echo"])
async def test_a_body_that_grows_too_large_is_refused_on_its_way(make_api: MakeApi, path: str):
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while sent < 1_000_000:
            sent += 1000
            yield b" " * 1000

    async with make_api(max_body_bytes="5000") as api:
        headers = {"content-type": "application/json"}
        answer = await api.post(path, content=endless(), headers=headers)
    assert answer.json()["error_code"] == "PAYLOAD_TOO_LARGE"
    assert sent < 100_000


@pytest.mark.parametrize("length", ["-1", "abc", "1e3", "\uff19"])
async def test_a_length_that_is_no_number_is_refused(make_api: MakeApi, length: str):
    async with make_api() as api:
        headers = [(b"content-length", length.encode())]
        answer = await api.post("/probe/raw", content=b"", headers=headers)
    assert answer.json()["error_code"] == "VALIDATION_ERROR"


async def test_an_upload_has_its_own_limit(make_api: MakeApi):
    async with make_api(max_body_bytes="10", max_upload_bytes="100") as api:
        headers = {"content-type": "application/octet-stream"}
        assert (await api.post("/probe/raw", content=b"x" * 90, headers=headers)).json() == 90


async def test_a_caller_beyond_its_rate_is_told_when_to_come_back(make_api: MakeApi):
    async with make_api(rate_limit_per_minute="1", rate_limit_burst="2") as api:
        answers = [await api.get("/nothing") for _ in range(3)]
        other = await api.get("/nothing", headers={"x-api-key": "another"})
        probe = await api.get("/api/v1/health")
    assert [answer.status_code for answer in answers] == [404, 404, 429]
    assert answers[2].json()["error_code"] == "RATE_LIMITED"
    assert int(answers[2].headers["retry-after"]) >= 1
    assert (other.status_code, probe.status_code) == (404, 200)


async def test_an_address_that_guesses_keys_is_slowed_whatever_it_sends(make_api: MakeApi):
    async with make_api() as api:
        statuses = [
            (await api.get("/probe/me", headers={"x-api-key": f"guess-{n}"})).status_code
            for n in range(40)
        ]
    assert statuses[0] == 401
    assert statuses[-1] == 429


async def test_beyond_the_room_there_is_a_503_and_health_still_answers(make_api: MakeApi):
    async with make_api(max_requests="2") as api:
        app = app_of(api)
        waiting = [asyncio.create_task(api.get("/probe/wait")) for _ in range(2)]
        metrics = app.state.services.metrics
        await until(lambda: metrics.requests_active._value.get() == 2)
        refused = await api.get("/probe/me")
        health = await api.get("/api/v1/health")
        app.state.probe_waits.set()
        assert [(await task).status_code for task in waiting] == [200, 200]
        assert (await api.get("/probe/wait")).status_code == 200
    assert (refused.status_code, refused.json()["error_code"]) == (503, "OVERLOADED")
    assert health.status_code == 200


async def test_a_request_that_takes_too_long_ends_with_a_time_out(make_api: MakeApi):
    async with make_api(request_timeout="0.1") as api:
        answer = await api.get("/probe/wait")
    assert (answer.status_code, answer.json()["error_code"]) == (504, "TIMEOUT")


async def test_a_patient_route_and_a_stream_may_take_their_time(make_api: MakeApi):
    # Long enough that a busy machine does not take it for the route's own fault.
    async with make_api(request_timeout="1") as api:
        assert (await api.get("/probe/patient", params={"wait_s": 1.5})).json() == "waited"
        assert (await api.get("/probe/stream", params={"wait_s": 1.5})).text == "one two"


@given(
    burst=st.integers(1, 20),
    per_s=st.floats(0.1, 50),
    pauses=st.lists(st.floats(0, 10), min_size=1, max_size=60),
)
async def test_a_bucket_never_gives_more_than_its_burst_and_its_rate(
    burst: int, per_s: float, pauses: list[float]
):
    now = 0.0
    buckets = TokenBuckets(per_s=per_s, burst=burst, clock=lambda: now)
    taken = 0
    for pause in pauses:
        now += pause
        wait_s = await buckets.take("caller")
        taken += wait_s == 0
        if wait_s:
            now += wait_s + 1e-6
            assert await buckets.wait_s("caller") <= 1e-6
    assert taken <= burst + now * per_s + 1


async def test_the_limiter_forgets_callers_rather_than_grow():
    buckets = TokenBuckets(per_s=1, burst=1, kept_max=10)
    for number in range(1000):
        await buckets.take(f"caller-{number}")
    assert buckets.kept == 10


def credential(*headers: tuple[str, str]) -> str | None:
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    scope = {"type": "http", "scheme": "http", "path": "/", "server": ("h", 80), "headers": raw}
    return identify_credential(HTTPConnection(scope), None)


def test_the_limiter_never_holds_a_key():
    named = credential(("x-api-key", "da_abc_secret"))
    assert named is not None
    assert "secret" not in named


@pytest.mark.parametrize(
    "header",
    [
        ("authorization", "Bearer one"),
        ("authorization", "bearer   one "),
        ("authorization", "  BEARER one"),
        ("x-api-key", " one "),
    ],
)
def test_a_key_is_one_caller_however_it_is_spelled(header: tuple[str, str]):
    assert credential(header) == credential(("x-api-key", "one"))
    assert credential(header, ("cookie", "theme=dark")) == credential(("x-api-key", "one"))


def test_only_our_own_cookie_names_a_caller():
    mine = credential(("cookie", "dataagent_session=abc"))
    assert mine is not None
    assert credential(("cookie", "theme=dark; dataagent_session=abc; n=1")) == mine
    assert credential(("cookie", "theme=dark")) is None
    assert credential(("authorization", "Basic abc")) is None
    assert credential(("x-api-key", "one"), ("authorization", "Bearer two")) is None


@pytest.mark.requirement("F4-isolation")
async def test_a_good_key_is_not_locked_out_with_those_who_guess_beside_it(make_api: MakeApi):
    good = {"x-api-key": "a-good-long-key"}
    async with make_api(api_keys='["a-good-long-key", "another-good-key"]') as api:
        assert (await api.get("/probe/me", headers=good)).status_code == 200
        for number in range(40):
            await api.get("/probe/me", headers={"x-api-key": f"guess-{number}"})
        assert (await api.get("/probe/me", headers=good)).status_code == 200
        assert (await api.get("/probe/me", headers={"x-api-key": "guess"})).status_code == 429
        assert (await api.get("/probe/me")).status_code == 429


async def test_a_credential_that_is_refused_is_no_longer_known():
    now = 0.0
    known = LocalKnownCallers(lambda: now)
    await known.remember("credential:a")
    await known.remember("credential:b")
    await known.forget("credential:a")
    assert [await known.knows(f"credential:{name}") for name in "abc"] == [False, True, False]
    now = KNOWN_CALLER_S
    assert not await known.knows("credential:b")


@pytest.mark.requirement("F4-isolation")
async def test_of_several_tenants_none_takes_every_place_for_requests(make_api: MakeApi):
    async with make_api() as api:
        people = app_of(api).state.services.people
        tenant = (await people.tenants.create(operator(DEFAULT_TENANT), "Two")).tenant_id
        member = await people.members.add(operator(tenant), "eve", "member")
        made = await people.keys.create(operator(tenant), "test", user_id=member.user_id)
    mine, theirs = {"x-api-key": "a-good-long-key"}, {"x-api-key": made.secret}
    async with make_api(max_requests="8", api_keys='["a-good-long-key"]') as api:
        for key in (mine, theirs):
            await api.get("/probe/me", headers=key)
        asked = [asyncio.create_task(api.get("/probe/mine", headers=mine)) for _ in range(8)]
        await until(lambda: sum(task.done() for task in asked) == 2)
        refused = [task.result() for task in asked if task.done()]
        other = await api.get("/probe/me", headers=theirs)
        app_of(api).state.probe_waits.set()
        told = sorted([(await task).status_code for task in asked])
    assert {answer.json()["error_code"] for answer in refused} == {"RATE_LIMITED"}
    assert other.status_code == 200
    assert told == [200] * 6 + [429] * 2


@given(
    room=st.integers(1, 100),
    steps=st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), max_size=300),
)
def test_whoever_holds_nothing_finds_a_place_and_nobody_takes_the_last_quarter(
    room: int, steps: list[tuple[str, bool]]
):
    share = FairShare()
    share.alone = False
    held: Counter[str] = Counter()
    for who, comes in steps:
        free = room - held.total()
        if not comes:
            held[who] -= held[who] > 0
        elif share.leaves_room(held[who], free):
            assert free > 0
            held[who] += 1
        assert max(held.values(), default=0) <= math.ceil(room * 3 / 4)
        # Three others can never fill what they are made to leave, if there is enough of it.
        assert room < 13 or held["a"] or share.leaves_room(0, room - held.total())


def test_a_tenant_that_is_alone_may_take_all():
    share = FairShare()
    assert all(share.leaves_room(held, 10 - held) for held in range(10))
    assert not share.leaves_room(10, 0)
