"""An id that was used before: what was deleted does not come back, not even to those still there."""

import pytest
from talking import Caller, Talk, hear, hear_until, say
from websockets.exceptions import ConnectionClosed

pytestmark = pytest.mark.every_database


@pytest.fixture
async def ann(talk: Talk) -> Caller:
    """Somebody who had a session `again` and deleted it, while `ann` was reading it."""
    return await talk.person("ann")


async def events(talk: Talk, who: Caller, *, after: int = 0) -> list[dict[str, object]]:
    async with talk.socket("again", who, f"?after={after}") as socket:
        await say(socket, "chat", message="hi")
        return await hear_until(socket, "done")


async def test_who_takes_a_deleted_sessions_id_reads_nothing_of_it(talk: Talk, ann: Caller):
    bob = await talk.person("bob")
    await talk.chat(ann, "the secret is 42", session_id=await talk.session(ann, session_id="again"))
    await talk.http.delete("/api/v1/sessions/again", headers=ann.headers)
    await talk.session(bob, session_id="again")
    heard = await events(talk, bob)
    assert [frame["seq"] for frame in heard] == list(range(1, len(heard) + 1))
    assert len({frame["run_id"] for frame in heard}) == 1


async def test_who_still_reads_a_deleted_session_reads_nothing_of_the_next(talk: Talk, ann: Caller):
    bob = await talk.person("bob")
    await talk.chat(ann, session_id=await talk.session(ann, session_id="again"))
    async with talk.socket("again", ann) as socket:
        await say(socket, "ping")
        assert (await hear(socket))["event_type"] == "pong"
        await talk.http.delete("/api/v1/sessions/again", headers=ann.headers)
        await talk.session(bob, session_id="again")
        await talk.chat(bob, "the secret is 42", session_id="again")
        told = await hear(socket)
        assert (told["event_type"], told["data"]["code"]) == ("error", "NOT_FOUND")
        with pytest.raises(ConnectionClosed):
            await hear(socket)


async def test_an_event_stream_ends_with_its_session(talk: Talk, ann: Caller):
    answer = await talk.chat(ann, session_id=await talk.session(ann, session_id="again"))
    url = "/api/v1/sessions/again/events/stream?after=0"
    async with talk.http.stream("GET", url, headers=ann.headers) as stream:
        lines = stream.aiter_lines()
        for _ in answer["events"]:
            while not (await anext(lines)).startswith("data:"):
                pass
        await talk.http.delete("/api/v1/sessions/again", headers=ann.headers)
        rest = [line async for line in lines]
    assert any('"NOT_FOUND"' in line for line in rest)
