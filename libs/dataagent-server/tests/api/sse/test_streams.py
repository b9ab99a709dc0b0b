"""Following a session as server-sent events, with the real server."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from eventually import eventually
from jsonschema import Draft202012Validator
from live_server import Caller, LiveServer, open_live_server

from tests.server.fixtures import MakeSettings

STILL_HERE = {"comment": "still here"}


class Stream:
    """What comes over one stream, frame by frame."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def frame(self) -> dict[str, str]:
        """Read up to the next empty line; nothing at the end of the stream."""
        told: dict[str, str] = {}
        async with asyncio.timeout(20):
            async for line in self._lines:
                if not line:
                    break
                name, _, value = line.partition(": ")
                told[name or "comment"] = value
        return told

    async def until(self, *events: str) -> list[dict[str, str]]:
        frames: list[dict[str, str]] = []
        while not frames or frames[-1].get("event") not in events:
            found = await self.frame()
            assert found, frames
            if "comment" not in found:
                frames.append(found)
        return frames

    async def rest(self) -> list[dict[str, str]]:
        frames: list[dict[str, str]] = []
        while found := await self.frame():
            if "comment" not in found:
                frames.append(found)
        return frames


@asynccontextmanager
async def following(
    live: LiveServer, caller: Caller, path: str, **headers: str
) -> AsyncGenerator[Stream]:
    url = f"/api/v1/{path}"
    async with live.http.stream("GET", url, headers=caller.headers | headers) as response:
        assert response.status_code == 200, await response.aread()
        yield Stream(response)


@asynccontextmanager
async def chatting(
    live: LiveServer, caller: Caller, body: Any, **headers: str
) -> AsyncGenerator[Stream]:
    sent = caller.headers | headers
    async with live.http.stream("POST", "/api/v1/agent/chat", json=body, headers=sent) as response:
        assert response.status_code == 200, await response.aread()
        yield Stream(response)


def numbers(frames: list[dict[str, str]]) -> list[int]:
    return [int(frame["id"]) for frame in frames]


@pytest.mark.requirement("S2-14.1")
@pytest.mark.requirement("S2-5.1-loop")
async def test_a_message_is_answered_as_a_stream_that_ends(live: LiveServer):
    ann = await live.person()
    async with chatting(live, ann, {"message": "look"}) as stream:
        assert stream.response.headers["content-type"].startswith("text/event-stream")
        assert await stream.frame() == STILL_HERE
        frames = await stream.rest()
    events = [frame["event"] for frame in frames]
    assert (events[0], events[-1]) == ("start", "complete")
    assert {"act", "observe", "text_delta"} <= set(events)
    assert numbers(frames) == list(range(1, len(frames) + 1))
    data = [json.loads(frame["data"]) for frame in frames]
    assert [one["type"] for one in data] == events
    assert {frozenset(one) for one in data} == {
        frozenset({"type", "data", "timestamp", "conversation_id", "event_id"})
    }
    assert len({one["conversation_id"] for one in data}) == 1
    await eventually(lambda: live.services.connections.total == 0)


@pytest.mark.requirement("S2-5.3-permission-flow")
async def test_a_run_that_asks_ends_the_stream_with_its_question(live: LiveServer):
    ann = await live.person()
    async with chatting(live, ann, {"message": "write it"}) as stream:
        frames = await stream.rest()
    assert frames[-1]["event"] == "permission_asked"
    asked = json.loads(frames[-1]["data"])
    session_id, interrupt_id = asked["conversation_id"], asked["data"]["request_id"]
    answer = {"decision": {"type": "approve"}}
    await live.http.post(f"/api/v1/requests/{interrupt_id}", json=answer, headers=ann.headers)
    path = f"sessions/{session_id}/events/stream"
    async with following(live, ann, path, **{"Last-Event-ID": frames[-1]["id"]}) as stream:
        rest = await stream.until("complete")
    assert rest[0]["event"] == "permission_replied"
    assert numbers(frames + rest) == list(range(1, len(frames + rest) + 1))


@pytest.mark.requirement("S2-12.3-resume")
@pytest.mark.requirement("F4-5")
async def test_who_leaves_leaves_the_run_alone_and_comes_back_where_they_were(live: LiveServer):
    ann = await live.person()
    async with chatting(live, ann, {"message": "slow"}) as stream:
        seen = await stream.until("text_delta")
    session_id = json.loads(seen[0]["data"])["conversation_id"]
    await eventually(lambda: live.services.connections.total == 0)
    assert (await live.run_of(ann, session_id)).status == "running"
    path = f"agent/conversations/{session_id}/events/stream"
    async with following(live, ann, f"{path}?after=0", **{"Last-Event-ID": seen[-1]["id"]}) as one:
        seen += await one.until("text_delta")
    async with following(live, ann, f"{path}?after={seen[-1]['id']}") as other:
        seen += await other.until("text_delta")
        await live.http.post(f"/api/v1/chat/{session_id}/cancel", headers=ann.headers)
        seen += await other.until("complete")
    assert numbers(seen) == list(range(1, len(seen) + 1))


async def test_a_stream_shows_the_whole_session_then_goes_on_live(live: LiveServer):
    ann = await live.person()
    answer = await live.chat(ann)
    session_id = answer["session_id"]
    async with following(live, ann, f"sessions/{session_id}/events/stream") as stream:
        before = await stream.until("complete")
        again = asyncio.create_task(live.chat(ann, session_id=session_id))
        after = await stream.until("complete")
        await again
    assert len(before) == len(answer["events"])
    assert numbers(before + after) == list(range(1, len(before + after) + 1))


async def test_a_repeated_message_streams_the_same_run(live: LiveServer):
    ann = await live.person()
    heard: list[list[dict[str, str]]] = []
    for _ in range(2):
        async with chatting(live, ann, {"message": "hi"}, **{"Idempotency-Key": "one"}) as stream:
            heard.append(await stream.rest())
    assert heard[0] == heard[1]
    runs = await live.http.get("/api/v1/runs", headers=ann.headers)
    assert len(runs.json()["items"]) == 1


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ("?after=-1", {}),
        ("?after=x", {}),
        ("?after=1", {}),
        ("", {"Last-Event-ID": "x"}),
        ("", {"Last-Event-ID": "7"}),
    ],
)
async def test_a_place_that_is_not_there_is_refused(
    live: LiveServer, query: str, headers: dict[str, str]
):
    ann = await live.person()
    session_id = await live.session(ann)
    answer = await live.http.get(
        f"/api/v1/sessions/{session_id}/events/stream{query}", headers=ann.headers | headers
    )
    assert (answer.status_code, answer.json()["error_code"]) == (422, "VALIDATION_ERROR")
    assert live.services.connections.total == 0


async def test_a_quiet_stream_says_that_it_is_there(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dataagent_server.api.sse.event_stream.KEEPALIVE_S", 0.05)
    monkeypatch.setattr("dataagent_server.api.sse.session_events.KEEPALIVE_S", 0.05)
    ann = await live.person()
    session_id = await live.session(ann)
    async with following(live, ann, f"sessions/{session_id}/events/stream") as stream:
        for _ in range(4):
            assert await stream.frame() == STILL_HERE


@pytest.mark.requirement("S2-B-sse-auth")
async def test_a_key_that_is_revoked_ends_the_stream_with_an_error(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dataagent_server.api.sse.session_events.KEEPALIVE_S", 0.05)
    monkeypatch.setitem(_watch_defaults(), "every_s", 0.0)
    ann = await live.person()
    session_id = await live.session(ann)
    async with following(live, ann, f"sessions/{session_id}/events/stream") as stream:
        keys = (await live.http.get("/api/v1/keys", headers=ann.headers)).json()["items"]
        await live.http.delete(f"/api/v1/keys/{keys[0]['key_id']}", headers=ann.headers)
        frames = await stream.rest()
    assert [frame["event"] for frame in frames] == ["error"]
    assert json.loads(frames[0]["data"])["data"]["code"] == "UNAUTHENTICATED"
    assert "id" not in frames[0]


async def test_a_stream_of_a_deleted_session_ends_with_an_error(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dataagent_server.api.sse.session_events.KEEPALIVE_S", 0.05)
    monkeypatch.setitem(_watch_defaults(), "every_s", 0.0)
    ann = await live.person()
    session_id = await live.session(ann)
    async with following(live, ann, f"sessions/{session_id}/events/stream") as stream:
        await stream.frame()
        await live.http.delete(f"/api/v1/sessions/{session_id}", headers=ann.headers)
        frames = await stream.rest()
    assert json.loads(frames[0]["data"])["data"]["code"] == "NOT_FOUND"


async def test_streams_end_when_the_server_stops(make_settings: MakeSettings):
    async with open_live_server(make_settings()) as live:
        ann = await live.person()
        session_id = await live.session(ann)
        async with following(live, ann, f"sessions/{session_id}/events/stream") as stream:
            await stream.frame()
            live.services.stopping.set()
            assert await stream.rest() == []
        await eventually(lambda: live.services.connections.total == 0)


def _watch_defaults() -> dict[str, Any]:
    from dataagent_server.api.chat.live_events import AccessWatch

    defaults = AccessWatch.__init__.__kwdefaults__
    assert defaults is not None
    return defaults


async def test_what_is_streamed_is_what_the_document_says_of_a_stream(live: LiveServer):
    ann = await live.person()
    document = (await live.http.get("/api/v1/openapi.json")).json()
    described = {
        (method, path): content["text/event-stream"]
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        for content in [operation["responses"].get("200", {}).get("content", {})]
        if "text/event-stream" in content
    }
    async with chatting(live, ann, {"message": "write it"}) as stream:
        frames = {("post", "/api/v1/agent/chat"): await stream.rest()}
    session_id = json.loads(frames["post", "/api/v1/agent/chat"][0]["data"])["conversation_id"]
    for path in ("sessions/{session_id}", "agent/conversations/{conversation_id}"):
        place = path.partition("{")[0] + session_id
        async with following(live, ann, f"{place}/events/stream") as stream:
            frames["get", f"/api/v1/{path}/events/stream"] = await stream.until("permission_asked")
    # None is described that was not listened to.
    assert frames.keys() == described.keys()
    for stream, media in described.items():
        # `schema` would describe each event too, and an event is no text.
        assert "schema" not in media
        event = media["itemSchema"]
        inside = event["properties"]["data"]["contentSchema"]
        assert len(frames[stream]) > 1
        for frame in frames[stream]:
            Draft202012Validator(event).validate(frame)
            Draft202012Validator(inside).validate(json.loads(frame["data"]))
