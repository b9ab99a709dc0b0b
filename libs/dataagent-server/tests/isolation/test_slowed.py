"""Nobody is slowed by somebody else: limits are each tenant's own, and work goes side by side."""

from contextlib import AsyncExitStack

import pytest
from live_server import Caller, LiveServer, hear, open_live_server, say
from websockets.exceptions import InvalidStatus

from tests.server.fixtures import MakeSettings

pytestmark = pytest.mark.every_database


async def two(live: LiveServer) -> tuple[Caller, Caller]:
    ann = await live.person("ann", "member", await live.tenant("one"))
    eve = await live.person("eve", "member", await live.tenant("two"))
    return ann, eve


async def begin(live: LiveServer, who: Caller, message: str) -> str:
    """Start a run and leave it."""
    session = await live.session(who)
    async with live.socket(session, who) as socket:
        await socket.send(f'{{"type": "chat", "payload": {{"message": "{message}"}}}}')
        await live.reached(who, session, "running")
    return session


@pytest.mark.requirement("F4-isolation")
async def test_a_long_run_of_one_tenant_does_not_hold_up_another(live: LiveServer):
    ann, eve = await two(live)
    slow = [await begin(live, ann, "slow") for _ in range(3)]
    assert (await live.chat(eve))["status"] == "done"
    assert {(await live.run_of(ann, one)).status for one in slow} == {"running"}


@pytest.mark.requirement("F4-isolation")
async def test_one_tenant_at_its_limit_of_runs_takes_none_of_anothers(make_settings: MakeSettings):
    settings = make_settings(max_runs_per_tenant="2", rate_limit_per_minute="0")
    async with open_live_server(settings) as live:
        ann, eve = await two(live)
        for _ in range(2):
            await begin(live, ann, "slow")
        body = {"message": "hi"}
        refused = await live.http.post("/api/v1/chat", json=body, headers=ann.headers)
        assert (refused.status_code, refused.json()["error_code"]) == (429, "RATE_LIMITED")
        assert (await live.chat(eve))["status"] == "done"


@pytest.mark.requirement("F4-isolation")
async def test_one_person_who_asks_too_often_is_the_only_one_to_wait(make_settings: MakeSettings):
    settings = make_settings(rate_limit_per_minute="1", rate_limit_burst="20")
    async with open_live_server(settings) as live:
        ann, eve = await two(live)
        path = "/api/v1/sessions"
        told = [(await live.http.get(path, headers=ann.headers)).status_code for _ in range(21)]
        assert told == [200] * 20 + [429]
        assert (await live.http.get(path, headers=eve.headers)).status_code == 200


@pytest.mark.requirement("F4-isolation")
async def test_one_tenant_leaves_the_others_their_connections(make_settings: MakeSettings):
    settings = make_settings(max_connections="3", max_connections_per_tenant="2")
    async with open_live_server(settings) as live:
        ann, eve = await two(live)
        mine, other = await live.session(ann), await live.session(eve)
        async with live.socket(mine, ann), live.socket(mine, ann):
            with pytest.raises(InvalidStatus) as denied:
                await live.socket(mine, ann)
            assert denied.value.response.status_code == 429
            async with live.socket(other, eve) as socket:
                await say(socket, "ping")
                assert (await hear(socket))["event_type"] == "pong"


@pytest.mark.requirement("F4-isolation")
async def test_without_a_setting_too_one_tenant_leaves_the_others_connections(
    make_settings: MakeSettings,
):
    settings = make_settings(max_connections="4")
    async with open_live_server(settings) as live:
        ann, eve = await two(live)
        mine, other = await live.session(ann), await live.session(eve)
    # Looked up when the server starts, and now and then.
    async with open_live_server(settings) as live, AsyncExitStack() as opened:
        for _ in range(3):
            await opened.enter_async_context(live.socket(mine, ann))
        with pytest.raises(InvalidStatus) as denied:
            await live.socket(mine, ann)
        assert denied.value.response.status_code == 429
        async with live.socket(other, eve) as socket:
            await say(socket, "ping")
            assert (await hear(socket))["event_type"] == "pong"
