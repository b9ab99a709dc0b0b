"""`ask_agent` and the sessions it leaves behind, over `/mcp`."""

import asyncio
import json
from typing import Any

import pytest
from eventually import eventually
from live_server import Caller, LiveServer
from mcp.shared.exceptions import MCPError
from mcp_client import ERAS, Era, approve, audit_of, mcp_client, text_of


def facts(result: Any) -> dict[str, Any]:
    assert not result.is_error, text_of(result)
    return result.structured_content


async def sessions_of(live: LiveServer, caller: Caller) -> list[dict[str, Any]]:
    found = await live.http.get("/api/v1/sessions", headers=caller.headers)
    return found.json()["items"]


@pytest.mark.requirement("F6-6")
@pytest.mark.parametrize("era", ERAS)
async def test_a_question_is_answered_with_its_session(live: LiveServer, era: Era):
    ann = await live.person()
    async with mcp_client(live, ann.headers, era) as client:
        told = facts(await client.call_tool("ask_agent", {"message": "hi"}))
        assert (told["status"], told["answer"]) == ("done", "hello there")
        assert told["figures"] == []
        again = facts(
            await client.call_tool(
                "ask_agent", {"message": "hi again", "session_id": told["session_id"]}
            )
        )
        assert again["session_id"] == told["session_id"]
        address = f"dataagent://sessions/{told['session_id']}"
        read: Any = (await client.read_resource(address)).contents[0]
        roles = [message["role"] for message in json.loads(read.text)["messages"]]
        assert roles == ["user", "assistant", "user", "assistant"]
        listed: Any = (await client.read_resource("dataagent://sessions")).contents[0]
        assert [one["session_id"] for one in json.loads(listed.text)] == [told["session_id"]]


async def test_a_run_that_asks_is_told_as_waiting_with_its_request(live: LiveServer):
    ann = await live.person()
    async with mcp_client(live, ann.headers) as client:
        told = facts(await client.call_tool("ask_agent", {"message": "write it"}))
    assert told["status"] == "waiting"
    (request,) = told["requests"]
    assert request["kind"] == "approval"
    assert request["action_requests"][0]["name"] == "write_file"
    yes = {"decision": {"type": "approve"}}
    url = f"/api/v1/requests/{request['interrupt_id']}"
    assert (await live.http.post(url, json=yes, headers=ann.headers)).status_code == 200
    await live.reached(ann, told["session_id"], "completed")


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_can_ask_answers_for_the_run(live: LiveServer, era: Era):
    ann = await live.person()
    async with mcp_client(live, ann.headers, era, approve) as client:
        told = facts(await client.call_tool("ask_agent", {"message": "write it"}))
    assert (told["status"], told["answer"]) == ("done", "written")


@pytest.mark.parametrize("era", ERAS)
async def test_steps_are_told_while_it_works(live: LiveServer, era: Era):
    ann = await live.person()
    heard: list[tuple[float, str | None]] = []

    async def heard_of(progress: float, total: float | None, message: str | None) -> None:
        del total
        heard.append((progress, message))

    async with mcp_client(live, ann.headers, era) as client:
        await client.call_tool("ask_agent", {"message": "look"}, progress_callback=heard_of)
    assert "calls ls" in [message for _, message in heard]
    assert [done for done, _ in heard] == sorted({done for done, _ in heard})


@pytest.mark.parametrize("era", ERAS)
async def test_cancelling_the_call_stops_the_run(live: LiveServer, era: Era):
    ann = await live.person()
    async with mcp_client(live, ann.headers, era) as client:
        asking = asyncio.ensure_future(client.call_tool("ask_agent", {"message": "slow"}))

        async def under_way() -> bool:
            return bool(await sessions_of(live, ann))

        await eventually(under_way)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        (session,) = await sessions_of(live, ann)
        await live.reached(ann, session["session_id"], "cancelled")

    async def recorded() -> bool:
        rows = await audit_of(live, ann)
        return [json.loads(row.detail)["outcome"] for row in rows] == ["cancelled"]

    await eventually(recorded)


async def test_a_failed_run_is_an_error_with_its_code(live: LiveServer):
    ann = await live.person()
    async with mcp_client(live, ann.headers) as client:
        told = await client.call_tool("ask_agent", {"message": "fail"})
    assert told.is_error
    assert (told.structured_content or {})["details"]["session_id"]


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
async def test_a_change_of_a_session_is_told_to_who_subscribed(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    changed: list[str] = []

    async def heard(message: Any) -> None:
        if getattr(message, "method", "") == "notifications/resources/updated":
            changed.append(str(message.params.uri))

    async with mcp_client(live, ann.headers, "legacy", message_handler=heard) as client:
        address = f"dataagent://sessions/{session_id}"
        await client.session.subscribe_resource(address)  # pyright: ignore[reportDeprecated] (the older revision)
        await live.chat(ann, "hi", session_id=session_id)
        await eventually(lambda: address in changed)
        await client.session.unsubscribe_resource(address)  # pyright: ignore[reportDeprecated] (the older revision)


async def test_a_change_of_a_session_is_told_to_who_listens(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    address = f"dataagent://sessions/{session_id}"
    async with (
        mcp_client(live, ann.headers) as client,
        client.listen(resource_subscriptions=[address]) as events,
        asyncio.timeout(20),
    ):
        await live.chat(ann, "hi", session_id=session_id)
        event = await anext(aiter(events))
    assert getattr(event, "uri", None) == address


async def test_nobody_listens_to_what_they_may_not_read(live: LiveServer):
    ann = await live.person()
    bob = await live.person("bob", tenant_id=await live.tenant("other"))
    address = f"dataagent://sessions/{await live.session(ann)}"
    async with mcp_client(live, bob.headers) as client:
        with pytest.raises(MCPError, match="not found"):
            async with client.listen(resource_subscriptions=[address]):
                pass
