"""An id that was used before: what was deleted does not come back, not even to those still there."""

import pytest
from live_server import Caller, LiveServer, hear, hear_until, say
from websockets.exceptions import ConnectionClosed

pytestmark = pytest.mark.every_database


@pytest.fixture
async def ann(live: LiveServer) -> Caller:
    """Somebody who had a session `again` and deleted it, while `ann` was reading it."""
    return await live.person("ann")


async def events(live: LiveServer, who: Caller, *, after: int = 0) -> list[dict[str, object]]:
    async with live.socket("again", who, f"?after={after}") as socket:
        await say(socket, "chat", message="hi")
        return await hear_until(socket, "done")


async def test_who_takes_a_deleted_sessions_id_reads_nothing_of_it(live: LiveServer, ann: Caller):
    bob = await live.person("bob")
    await live.chat(ann, "the secret is 42", session_id=await live.session(ann, session_id="again"))
    await live.http.delete("/api/v1/sessions/again", headers=ann.headers)
    await live.session(bob, session_id="again")
    heard = await events(live, bob)
    assert [frame["seq"] for frame in heard] == list(range(1, len(heard) + 1))
    assert len({frame["run_id"] for frame in heard}) == 1


async def test_who_still_reads_a_deleted_session_reads_nothing_of_the_next(
    live: LiveServer, ann: Caller
):
    bob = await live.person("bob")
    await live.chat(ann, session_id=await live.session(ann, session_id="again"))
    async with live.socket("again", ann) as socket:
        await say(socket, "ping")
        assert (await hear(socket))["event_type"] == "pong"
        await live.http.delete("/api/v1/sessions/again", headers=ann.headers)
        await live.session(bob, session_id="again")
        await live.chat(bob, "the secret is 42", session_id="again")
        told = await hear(socket)
        assert (told["event_type"], told["data"]["code"]) == ("error", "NOT_FOUND")
        with pytest.raises(ConnectionClosed):
            await hear(socket)


async def test_an_event_stream_ends_with_its_session(live: LiveServer, ann: Caller):
    answer = await live.chat(ann, session_id=await live.session(ann, session_id="again"))
    url = "/api/v1/sessions/again/events/stream?after=0"
    async with live.http.stream("GET", url, headers=ann.headers) as stream:
        lines = stream.aiter_lines()
        for _ in answer["events"]:
            while not (await anext(lines)).startswith("data:"):
                pass
        await live.http.delete("/api/v1/sessions/again", headers=ann.headers)
        rest = [line async for line in lines]
    assert any('"NOT_FOUND"' in line for line in rest)
