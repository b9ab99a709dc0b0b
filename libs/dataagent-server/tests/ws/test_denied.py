"""Who is not let in is told so before the upgrade, as HTTP, in the form of every error."""

import json
from typing import Any

import pytest
from eventually import eventually
from live_server import Caller, LiveServer, hear, hear_until, open_live_server, say
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dataagent_server.api.chat.live_events import AccessWatch
from dataagent_server.runs.run_row import NewRun
from tests.server.fixtures import MakeSettings


async def denied(live: LiveServer, session_id: str, *args: Any, **more: Any) -> tuple[int, str]:
    with pytest.raises(InvalidStatus) as refused:
        async with live.socket(session_id, *args, **more):
            pass
    told = json.loads(refused.value.response.body or b"{}")
    assert set(told) == {"error_code", "message", "details", "request_id"}
    return refused.value.response.status_code, told["error_code"]


async def ticket(live: LiveServer, caller: Caller, session_id: str) -> str:
    answer = await live.http.post(
        "/api/v1/ws-tickets", json={"session_id": session_id}, headers=caller.headers
    )
    return answer.json()["ticket"]


async def test_nobody_strangers_and_colleagues_are_denied(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    eve = await live.person("eve", "owner", await live.tenant("other"))
    mine = await live.session(ann)
    assert await denied(live, mine) == (401, "UNAUTHENTICATED")
    assert await denied(live, mine, headers={"X-API-Key": "wrong"}) == (401, "UNAUTHENTICATED")
    assert await denied(live, mine, eve) == (404, "NOT_FOUND")
    assert await denied(live, mine, bob) == (403, "PERMISSION_DENIED")
    for unknown in ("unknown", "a%00b", "..", "x" * 300):
        assert await denied(live, unknown, ann) == (404, "NOT_FOUND")
    assert live.services.connections.total == 0


async def test_a_denial_is_no_error_of_the_server(
    live: LiveServer, caplog: pytest.LogCaptureFixture
):
    assert (await denied(live, "nothing", headers={"X-API-Key": "wrong"}))[0] == 401
    wrong = [record for record in caplog.records if record.levelname == "ERROR"]
    assert wrong == []


@pytest.mark.parametrize(
    "query", ["?after=-1", "?after=x", "?after=1", "?after=9223372036854775808"]
)
async def test_a_place_that_is_not_there_is_denied(live: LiveServer, query: str):
    ann = await live.person()
    session_id = await live.session(ann)
    assert await denied(live, session_id, ann, query) == (422, "VALIDATION_ERROR")


@pytest.mark.requirement("S0-38")
async def test_s0_38_beyond_the_limit_an_upgrade_is_denied_with_503(make_settings: MakeSettings):
    async with open_live_server(make_settings(max_connections="2")) as live:
        ann = await live.person()
        session_id = await live.session(ann)
        async with live.socket(session_id, ann) as one, live.socket(session_id, ann):
            assert await denied(live, session_id, ann) == (503, "OVERLOADED")
            stream = await live.http.get(
                f"/api/v1/sessions/{session_id}/events/stream", headers=ann.headers
            )
            assert stream.status_code == 503
            chat = await live.http.post(
                "/api/v1/agent/chat", json={"message": "hi"}, headers=ann.headers
            )
            assert chat.status_code == 503
            await one.close()
            await eventually(lambda: live.services.connections.total == 1)
            async with live.socket(session_id, ann) as again:
                await say(again, "ping")
                assert (await hear(again))["event_type"] == "pong"
        runs = await live.http.get("/api/v1/runs", headers=ann.headers)
        assert runs.json()["items"] == []


async def test_a_ticket_opens_one_session_once(live: LiveServer):
    ann = await live.person()
    session_id, other = await live.session(ann), await live.session(ann)
    one = await ticket(live, ann, session_id)
    assert await denied(live, other, None, f"?ticket={one}") == (401, "UNAUTHENTICATED")
    async with live.socket(session_id, None, f"?ticket={one}") as socket:
        await say(socket, "ping")
        assert (await hear(socket))["event_type"] == "pong"
    assert await denied(live, session_id, None, f"?ticket={one}") == (401, "UNAUTHENTICATED")
    assert await denied(live, session_id, None, "?ticket=made-up") == (401, "UNAUTHENTICATED")


async def test_a_cookie_counts_only_from_our_own_pages(live: LiveServer):
    people = live.services.people
    ann = await live.person()
    session_id = await live.session(ann)
    await people.users.set_password(ann.who, ann.who.user_id, new="correct horse battery")
    signed_in = await live.http.post(
        "/api/v1/auth/login", json={"username": "ann", "password": "correct horse battery"}
    )
    cookie = {"Cookie": f"dataagent_session={signed_in.cookies['dataagent_session']}"}
    own = {"Origin": f"http://127.0.0.1:{live.port}"}
    async with live.socket(session_id, headers=cookie | own) as socket:
        await say(socket, "ping")
        assert (await hear(socket))["event_type"] == "pong"
    assert (await denied(live, session_id, headers=cookie))[0] == 403
    foreign = cookie | {"Origin": "http://evil.example"}
    assert (await denied(live, session_id, headers=foreign))[0] == 403


async def test_a_revoked_key_can_ask_for_nothing_more(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket:
        (key,) = (await live.http.get("/api/v1/keys", headers=ann.headers)).json()["items"]
        await live.http.delete(f"/api/v1/keys/{key['key_id']}", headers=ann.headers)
        await say(socket, "chat", message="hi")
        frame = await hear(socket)
        assert (frame["event_type"], frame["data"]["code"]) == ("error", "UNAUTHENTICATED")


async def test_a_reader_whose_right_has_ended_is_closed(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dataagent_server.ws.route.AccessWatch", _always_looking)
    ann = await live.person()
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket:
        keys = await live.http.get("/api/v1/keys", headers=ann.headers)
        answering = live.services.runs.service
        await live.http.delete(
            f"/api/v1/keys/{keys.json()['items'][0]['key_id']}", headers=ann.headers
        )
        new = NewRun(
            session_id=session_id,
            user_id=ann.who.user_id,
            assistant_id="default",
            project_id=None,
            text="hi",
            context={},
        )
        await answering.execute(ann.who, new)
        last = (await hear_until(socket, "error"))[-1]
        with pytest.raises(ConnectionClosed) as closed:
            await hear(socket)
    assert last["data"]["code"] == "UNAUTHENTICATED"
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


def _always_looking(*args: Any) -> AccessWatch:
    return AccessWatch(*args, every_s=0)
