"""One conversation, from its first message to its deletion, on each database."""

import asyncio
from typing import Any

import pytest
from live_server import LiveServer, hear_until, open_live_server, say

from tests.server.fixtures import MakeSettings

pytestmark = pytest.mark.every_database


@pytest.mark.requirement("S2-3.1-databases")
async def test_a_conversation_from_beginning_to_end(make_settings: MakeSettings, database_url: str):
    async with open_live_server(make_settings(database_url=database_url)) as live:
        await converse(live)


async def converse(live: LiveServer) -> None:
    ann = await live.person()
    headers = ann.headers | {"Idempotency-Key": "one"}

    async def ask(method: str, path: str, **more: Any) -> Any:
        answer = await live.http.request(method, f"/api/v1{path}", headers=ann.headers, **more)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    body = {"message": "write it"}
    first, *others = await asyncio.gather(
        *(live.http.post("/api/v1/chat", json=body, headers=headers) for _ in range(4))
    )
    answer = first.json()
    assert [other.json() for other in others] == [answer] * 3
    session_id, asked = answer["session_id"], answer["events"][-1]
    async with live.socket(session_id, ann, f"?after={asked['seq']}") as socket:
        decision = {"type": "approve"}
        await say(socket, "hitl_decision", interrupt_id=asked["interrupt_id"], decision=decision)
        rest = await hear_until(socket, "done")
    again = await live.http.post("/api/v1/chat", json=body, headers=headers)
    assert again.json() == answer
    events = (await ask("GET", f"/sessions/{session_id}/events"))["events"]
    assert [event["seq"] for event in events] == list(range(1, rest[-1]["seq"] + 1))
    calls = (await ask("GET", f"/sessions/{session_id}/tool-executions"))["tool_executions"]
    assert [(call["tool_name"], call["status"]) for call in calls] == [("write_file", "success")]
    (call,) = calls
    assert call["tool_input"] == {"file_path": "/a.txt", "content": "hi"}
    (ran,) = [event for event in events if event["event_type"] == "tool_result"]
    assert call["tool_output"] == ran["result"]
    (run,) = (await ask("GET", f"/agent/conversations/{session_id}/execution"))["items"]
    assert run["result"]["content"] == "written"
    messages = (await ask("GET", f"/sessions/{session_id}/messages"))["messages"]
    assert [message["content"] for message in messages] == ["write it", "written"]
    found = await ask("GET", "/sessions?q=WRITE")
    assert [one["session_id"] for one in found["items"]] == [session_id]
    await ask("PATCH", f"/sessions/{session_id}", json={"title": "数据 👋"})
    found = await ask("GET", "/sessions", params={"q": "数据"})
    assert [one["title"] for one in found["items"]] == ["数据 👋"]
    await ask("DELETE", f"/sessions/{session_id}")
    assert (await ask("GET", "/sessions"))["items"] == []
    assert (await ask("GET", "/runs"))["items"] == []
