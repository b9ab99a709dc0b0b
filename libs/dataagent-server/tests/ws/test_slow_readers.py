"""A reader that does not read slows nobody down, costs little, and is given up."""

import asyncio
import json
import socket as sockets

import pytest
from eventually import eventually
from live_server import LiveServer, hear_until, say

from dataagent_core.events import TextEvent
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter
from dataagent_server.ws.socket_writer import ReaderGoneError, SocketWriter


@pytest.mark.requirement("F4-5")
async def test_a_reader_that_never_reads_is_given_up_and_others_go_on(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch
):
    given_up: list[bool] = []

    def impatient(websocket: object) -> SocketWriter:
        outlet = SocketWriter(websocket, send_s=0.5)  # pyright: ignore[reportArgumentType]
        send = outlet.send

        async def watched(text: str) -> None:
            try:
                await send(text)
            except ReaderGoneError:
                given_up.append(True)
                raise

        outlet.send = watched
        return outlet

    ann = await live.person()
    session_id = await live.session(ann)
    log = ServerEventLog(LogWriter(live.services.database), ann.who.tenant_id)
    for _ in range(20):
        await log.append(session_id, "earlier", [TextEvent(content="x" * 10_000)] * 100)
    monkeypatch.setattr("dataagent_server.ws.chat.SocketWriter", impatient)
    # A client that shakes hands and then never reads, with as small a window as there is.
    with sockets.socket() as deaf:
        deaf.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
        deaf.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(deaf, ("127.0.0.1", live.port))
        request = (
            f"GET /ws/chat/{session_id}?after=0 HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-API-Key: {ann.key}\r\n\r\n"
        )
        await loop.sock_sendall(deaf, request.encode())
        await eventually(lambda: live.services.connections.total == 1)
        async with live.socket(session_id, ann) as other:
            for _ in range(3):
                await say(other, "chat", message="hi")
                assert (await hear_until(other, "done"))[-1]["data"]["reason"] == "completed"
            await eventually(lambda: bool(given_up))
            await eventually(lambda: live.services.connections.total == 1)
            await say(other, "ping")
            await hear_until(other, "pong")


@pytest.mark.requirement("F4-5")
async def test_a_slow_reader_gets_everything_at_its_own_pace(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    async with live.socket(session_id, ann, max_queue=1) as slow:
        quick = asyncio.create_task(live.chat(ann, "long", session_id=session_id))
        answer = await quick
        # The run is over before the slow one has read its first frame.
        assert answer["status"] == "done"
        frames = await hear_until(slow, "done")
    assert [frame["seq"] for frame in frames] == [event["seq"] for event in answer["events"]]
    assert json.dumps(frames[-1]["data"]["content"]) == json.dumps(answer["events"][-1]["content"])
