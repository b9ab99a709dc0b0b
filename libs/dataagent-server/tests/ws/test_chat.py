"""Talking over a WebSocket, with the real server and a real client."""

import asyncio
import json
import time
from contextlib import suppress
from typing import Any

import pytest
from eventually import eventually
from live_server import LiveServer, hear, hear_until, say
from websockets.exceptions import ConnectionClosed

from dataagent_core.events import WarningEvent
from dataagent_server.settings.limits import FRAME_BYTES_MAX, MESSAGE_BYTES_MAX


def numbers(frames: list[dict[str, Any]]) -> list[int]:
    return [frame["seq"] for frame in frames if "seq" in frame]


async def test_a_message_is_answered_in_frames_of_the_log(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket:
        await say(socket, "chat", message="hi")
        frames = await hear_until(socket, "done")
    assert numbers(frames) == list(range(1, len(frames) + 1))
    assert {frozenset(frame) for frame in frames} == {
        frozenset({"event_type", "data", "timestamp", "seq", "run_id"})
    }
    url = f"/api/v1/sessions/{session_id}/events"
    logged = (await live.http.get(url, headers=ann.headers)).json()["events"]
    assert [(f["event_type"], f["seq"], f["timestamp"]) for f in frames] == [
        (event["event_type"], event["seq"], event["timestamp"]) for event in logged
    ]


async def test_a_question_is_answered_over_the_same_connection(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket:
        await say(socket, "chat", message="write it")
        asked = (await hear_until(socket, "hitl_request"))[-1]["data"]["interrupt_id"]
        await say(socket, "hitl_decision", interrupt_id=asked, decision={"type": "approve"})
        frames = await hear_until(socket, "done")
        assert "hitl_answer" in [frame["event_type"] for frame in frames]
        assert frames[-1]["data"]["reason"] == "completed"
        await say(socket, "hitl_decision", interrupt_id=asked, decision={"type": "approve"})
        late = await hear(socket)
        assert (late["event_type"], late["data"]["code"]) == ("error", "CONFLICT")


@pytest.mark.requirement("S0-39")
@pytest.mark.requirement("S0-40")
@pytest.mark.requirement("S0-41")
async def test_s0_39_40_41_a_cancel_ends_the_run_within_a_second_and_frees_everything(
    live: LiveServer,
):
    ann = await live.person()
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket:
        for _ in range(3):
            await say(socket, "chat", message="slow")
            await hear_until(socket, "text")
            asked_at = time.monotonic()
            await say(socket, "cancel", session_id=session_id)
            done = (await hear_until(socket, "done"))[-1]
            assert time.monotonic() - asked_at < 1
            assert done["data"]["cancelled"] is True
            assert done["data"]["reason"] == "user_cancelled"
            await eventually(lambda: live.services.runs.runner.active == 0)
        await say(socket, "chat", message="hi")
        assert (await hear_until(socket, "done"))[-1]["data"]["reason"] == "completed"


@pytest.mark.requirement("F4-wrong-frames")
async def test_wrong_messages_get_an_error_and_the_connection_stays(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    wrong: list[tuple[str | bytes, str]] = [
        ("", "VALIDATION_ERROR"),
        ("no json", "VALIDATION_ERROR"),
        (b"\x00\x01", "VALIDATION_ERROR"),
        ("[" * 5_000, "VALIDATION_ERROR"),
        ('{"type": "chat"}', "VALIDATION_ERROR"),
        ('{"type": "dance", "payload": {}}', "VALIDATION_ERROR"),
        ('{"type": "chat", "payload": {"message": " "}}', "VALIDATION_ERROR"),
        ('{"type": "chat", "payload": {"message": "a", "assistant_id": "b"}}', "NOT_FOUND"),
        ("x" * (MESSAGE_BYTES_MAX + 1), "PAYLOAD_TOO_LARGE"),
        ('{"type": "cancel", "payload": {}}', "NOT_FOUND"),
        ('{"type": "cancel", "payload": {"session_id": "other"}}', "VALIDATION_ERROR"),
        ('{"type": "resume", "payload": {"after": 99}}', "VALIDATION_ERROR"),
        (
            '{"type": "hitl_decision", "payload": {"interrupt_id": "x", "decision": {}}}',
            "NOT_FOUND",
        ),
    ]
    async with live.socket(session_id, ann) as socket:
        for message, code in wrong:
            await socket.send(message)
            frame = await hear(socket)
            assert (frame["event_type"], frame["data"]["code"]) == ("error", code), message
            assert set(frame) == {"event_type", "data", "timestamp"}
        await say(socket, "ping")
        assert (await hear(socket))["event_type"] == "pong"


@pytest.mark.requirement("F4-wrong-frames")
async def test_a_message_beyond_the_protocols_own_limit_closes(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket:
        # Refused by its length, perhaps before all of it is sent.
        with suppress(ConnectionClosed):
            await socket.send("x" * (FRAME_BYTES_MAX + 1))
        with pytest.raises(ConnectionClosed) as closed:
            await hear(socket)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    await eventually(lambda: live.services.connections.total == 0)


async def test_reading_begins_now_or_after_the_number_given(live: LiveServer):
    ann = await live.person()
    answer = await live.chat(ann, "look")
    session_id, last = answer["session_id"], answer["events"][-1]["seq"]
    for after in range(last + 1):
        async with live.socket(session_id, ann, f"?after={after}") as socket:
            heard = [await hear(socket) for _ in range(last - after)]
            assert numbers(heard) == list(range(after + 1, last + 1))
            await say(socket, "ping")
            assert (await hear(socket))["event_type"] == "pong"
    async with live.socket(session_id, ann) as socket:
        await say(socket, "ping")
        assert (await hear(socket))["event_type"] == "pong"
        await say(socket, "resume", after=last - 2)
        assert numbers([await hear(socket) for _ in range(2)]) == [last - 1, last]
        await say(socket, "chat", message="hi")
        assert (await hear_until(socket, "done"))[0]["seq"] == last + 1


async def test_who_leaves_and_comes_back_sees_every_event_once(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    seen: list[int] = []
    async with live.socket(session_id, ann) as socket:
        await say(socket, "chat", message="slow")
        seen += numbers(await hear_until(socket, "text"))
    # The run goes on without anybody (S0 28).
    assert (await live.run_of(ann, session_id)).status == "running"
    while True:
        async with live.socket(session_id, ann, f"?after={seen[-1]}") as socket:
            frames = [await hear(socket) for _ in range(3)]
            seen += numbers(frames)
            if len(seen) > 20:
                await say(socket, "cancel")
                seen += numbers(await hear_until(socket, "done"))
                break
    assert seen == list(range(1, len(seen) + 1))
    await eventually(lambda: live.services.connections.total == 0)


async def test_several_read_one_session_and_one_leaving_takes_nothing_from_the_others(
    live: LiveServer,
):
    ann = await live.person()
    session_id = await live.session(ann)
    manager = live.services.connections
    async with live.socket(session_id, ann) as staying:
        async with live.socket(session_id, ann) as leaving:
            await say(leaving, "chat", message="slow")
            await hear_until(leaving, "text")
            assert manager.of_session(ann.who.tenant_id, session_id) == 2
        await eventually(lambda: manager.of_session(ann.who.tenant_id, session_id) == 1)
        first = await hear_until(staying, "text")
        await say(staying, "cancel")
        rest = await hear_until(staying, "done")
    both = numbers(first + rest)
    assert both == list(range(1, len(both) + 1))


async def test_messages_sent_while_a_run_is_under_way_are_taken_in_turn(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket:
        for text in ("look", "hi", "look"):
            await say(socket, "chat", message=text)
        frames = [f for _ in range(3) for f in await hear_until(socket, "done")]
    runs = [frame["run_id"] for frame in frames if frame["event_type"] == "start"]
    assert len(set(runs)) == 3
    order = list(dict.fromkeys(frame["run_id"] for frame in frames))
    assert order == runs


@pytest.mark.requirement("S0-36")
async def test_s0_36_a_busy_connection_does_not_hold_up_another(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    busy, free = await live.session(ann), await live.session(bob)
    async with live.socket(busy, ann) as one, live.socket(free, bob) as other:
        await say(one, "chat", message="slow")
        await hear_until(one, "text")
        await say(other, "chat", message="hi")
        await hear_until(other, "done")
        assert (await live.run_of(ann, busy)).status == "running"
        await say(one, "cancel")
        await hear_until(one, "done")


async def test_frames_are_json_texts(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket:
        await say(socket, "ping")
        async with asyncio.timeout(60):
            raw = await socket.recv()
    assert isinstance(raw, str)
    assert json.loads(raw)["data"] == {}


async def test_an_event_that_is_sent_reaches_every_reader_with_its_number(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob", "admin")
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket, live.socket(session_id, bob) as other:
        connections = live.services.connections
        await connections.send_event(session_id, WarningEvent(code="NOTE", message="soon closed"))
        frames = [await hear(socket), await hear(other)]
    assert [frame["data"]["message"] for frame in frames] == ["soon closed"] * 2
    assert numbers(frames) == [1, 1]
    url = f"/api/v1/sessions/{session_id}/events"
    (logged,) = (await live.http.get(url, headers=ann.headers)).json()["events"]
    assert (logged["event_type"], logged["seq"]) == ("warning", 1)
