"""Sharing a session inside the tenant: to view it, or to answer its requests as well."""

import asyncio
from typing import Any

import pytest
from live_server import Caller, LiveServer, hear, hear_until, say
from websockets.exceptions import ConnectionClosed, InvalidStatus

READ = [
    ("GET", ""), ("GET", "/messages"), ("GET", "/events"), ("GET", "/runs"), ("GET", "/requests"),
    ("GET", "/context"), ("GET", "/shares"), ("GET", "/export?format=json"),
]  # fmt: skip
CHANGE: list[tuple[str, str, Any]] = [
    ("PATCH", "", {"title": "Mine"}),
    ("PUT", "/mode", {"mode": "plan"}),
    ("PUT", "/shares/local", {"permission": "view"}),
    ("DELETE", "", None),
]
APPROVE = {"decision": {"type": "approve"}}


class MCPInstallation:
    """Ann's session `x`, which waits for an approval, and others who want to see it."""

    def __init__(self, live: LiveServer, ann: Caller, bob: Caller) -> None:
        self.live, self.ann, self.bob = live, ann, bob

    async def ask(self, who: Caller, method: str, path: str, body: Any = None):
        return await self.live.http.request(
            method, f"/api/v1{path}", json=body, headers=who.headers
        )

    async def share(self, who: Caller, permission: str = "view") -> None:
        path = f"/sessions/x/shares/{who.who.user_id}"
        answer = await self.ask(self.ann, "PUT", path, {"permission": permission})
        assert answer.status_code == 200, answer.text

    async def unshare(self, who: Caller) -> None:
        path = f"/sessions/x/shares/{who.who.user_id}"
        assert (await self.ask(self.ann, "DELETE", path)).status_code == 204

    async def question(self) -> str:
        asked = await self.ask(self.ann, "GET", "/sessions/x/requests")
        return asked.json()["requests"][0]["interrupt_id"]


@pytest.fixture
async def desk(live: LiveServer) -> MCPInstallation:
    ann, bob = await live.person("ann"), await live.person("bob")
    await live.session(ann, session_id="x", title="Sales")
    await live.chat(ann, "write", session_id="x")
    await live.reached(ann, "x", "waiting_approval")
    return MCPInstallation(live, ann, bob)


async def test_a_colleague_sees_nothing_until_it_is_shared_and_nothing_after(desk: MCPInstallation):
    for shared, status in ((False, 403), (True, 200), (False, 403)):
        if shared:
            await desk.share(desk.bob)
        elif status == 403 and (await desk.ask(desk.bob, "GET", "/sessions/x")).status_code == 200:
            await desk.unshare(desk.bob)
        for method, path in READ:
            answer = await desk.ask(desk.bob, method, f"/sessions/x{path}")
            assert answer.status_code == status, (path, answer.text)


@pytest.mark.parametrize("permission", ["view", "answer"])
async def test_whom_it_is_shared_with_changes_nothing(desk: MCPInstallation, permission: str):
    await desk.share(desk.bob, permission)
    for method, path, body in CHANGE:
        answer = await desk.ask(desk.bob, method, f"/sessions/x{path}", body)
        assert answer.status_code == 403, (path, answer.text)
    said = {"message": "hello", "session_id": "x"}
    assert (await desk.ask(desk.bob, "POST", "/chat", said)).status_code == 403
    assert (await desk.ask(desk.bob, "POST", "/chat/x/cancel")).status_code == 403
    run = await desk.live.run_of(desk.ann, "x")
    assert (await desk.ask(desk.bob, "GET", f"/runs/{run.run_id}")).status_code == 200
    assert (await desk.ask(desk.bob, "POST", f"/runs/{run.run_id}/cancel")).status_code == 403


async def test_to_view_is_not_to_answer(desk: MCPInstallation):
    question = await desk.question()
    await desk.share(desk.bob)
    assert (await desk.ask(desk.bob, "GET", "/requests")).json()["requests"] == []
    refused = await desk.ask(desk.bob, "POST", f"/requests/{question}", APPROVE)
    assert refused.status_code == 403
    await desk.share(desk.bob, "answer")
    waiting = (await desk.ask(desk.bob, "GET", "/requests")).json()["requests"]
    assert [one["interrupt_id"] for one in waiting] == [question]
    answered = await desk.ask(desk.bob, "POST", f"/requests/{question}", APPROVE)
    assert answered.json()["answered_by"] == desk.bob.who.user_id
    await desk.live.reached(desk.ann, "x", "completed")


async def test_for_good_is_the_owners_to_say(desk: MCPInstallation):
    question = await desk.question()
    await desk.share(desk.bob, "answer")
    always = {"decision": {"type": "approve", "scope": "always"}}
    refused = await desk.ask(desk.bob, "POST", f"/requests/{question}", always)
    assert refused.status_code == 403
    assert "rule.create" in refused.json()["message"]


async def test_a_viewer_of_the_tenant_only_views(desk: MCPInstallation):
    vera = await desk.live.person("vera", "viewer")
    await desk.share(vera)
    assert (await desk.ask(vera, "GET", "/sessions/x/messages")).status_code == 200
    question = await desk.question()
    assert (await desk.ask(vera, "POST", f"/requests/{question}", APPROVE)).status_code == 403


async def test_lists_say_what_one_is_to_a_session(desk: MCPInstallation):
    adam = await desk.live.person("adam", "admin")
    await desk.share(desk.bob, "answer")

    async def listed(who: Caller, query: str = "") -> list[tuple[str, str, bool]]:
        found = (await desk.ask(who, "GET", f"/sessions{query}")).json()["items"]
        return [(one["session_id"], one["permission"], one["shared"]) for one in found]

    assert await listed(desk.ann) == [("x", "owner", True)]
    assert await listed(desk.bob) == []
    assert await listed(desk.bob, "?shared=true") == [("x", "answer", True)]
    assert await listed(desk.bob, "?shared=true&q=Sales") == [("x", "answer", True)]
    assert await listed(adam, "?everyone=true") == [("x", "admin", True)]
    await desk.unshare(desk.bob)
    assert await listed(desk.bob, "?shared=true") == []
    assert await listed(desk.ann) == [("x", "owner", False)]


async def test_shares_name_people_and_one_may_give_up_ones_own(desk: MCPInstallation):
    await desk.share(desk.bob)
    shares = (await desk.ask(desk.bob, "GET", "/sessions/x/shares")).json()["items"]
    assert [(one["username"], one["permission"]) for one in shares] == [("bob", "view")]
    given_up = f"/sessions/x/shares/{desk.bob.who.user_id}"
    assert (await desk.ask(desk.bob, "DELETE", given_up)).status_code == 204
    assert (await desk.ask(desk.bob, "GET", "/sessions/x")).status_code == 403
    assert (await desk.ask(desk.ann, "DELETE", given_up)).status_code == 404


async def test_only_people_of_the_tenant_can_be_named(desk: MCPInstallation):
    eve = await desk.live.person("eve", "owner", await desk.live.tenant("other"))
    for user_id in (eve.who.user_id, "nobody"):
        path = f"/sessions/x/shares/{user_id}"
        answer = await desk.ask(desk.ann, "PUT", path, {"permission": "view"})
        assert (answer.status_code, answer.json()["error_code"]) == (404, "NOT_FOUND")
    own = f"/sessions/x/shares/{desk.ann.who.user_id}"
    assert (await desk.ask(desk.ann, "PUT", own, {"permission": "view"})).status_code == 409
    for method, body in (("GET", None), ("PUT", {"permission": "view"}), ("DELETE", None)):
        path = "/sessions/x/shares" + ("" if method == "GET" else f"/{eve.who.user_id}")
        assert (await desk.ask(eve, method, path, body)).status_code == 404


async def test_an_admin_may_end_it_and_the_audit_tells(desk: MCPInstallation):
    adam = await desk.live.person("adam", "admin")
    await desk.share(desk.bob)
    path = f"/sessions/x/shares/{desk.bob.who.user_id}"
    assert (await desk.ask(adam, "DELETE", path)).status_code == 204
    entries = (await desk.ask(adam, "GET", "/audit?limit=50")).json()["items"]
    told = [(e["action"], e["actor"]) for e in entries if e["action"].endswith("share")]
    assert sorted(action for action, _ in told) == ["session.share", "session.unshare"]


async def test_whoever_leaves_the_tenant_or_deletes_the_session_takes_the_shares_along(
    desk: MCPInstallation,
):
    await desk.share(desk.bob)
    adam = await desk.live.person("adam", "admin")
    gone = await desk.ask(adam, "DELETE", f"/members/{desk.bob.who.user_id}")
    assert gone.status_code == 204
    assert (await desk.ask(desk.ann, "GET", "/sessions/x/shares")).json()["items"] == []
    cara = await desk.live.person("cara")
    await desk.share(cara)
    await desk.ask(desk.ann, "POST", "/chat/x/cancel")
    await desk.live.reached(desk.ann, "x", "cancelled")
    assert (await desk.ask(desk.ann, "DELETE", "/sessions/x")).status_code == 204
    await desk.live.session(desk.ann, session_id="x")
    assert (await desk.ask(cara, "GET", "/sessions/x")).status_code == 403


async def test_a_socket_follows_answers_but_does_not_talk_and_ends_with_the_right(
    desk: MCPInstallation,
):
    with pytest.raises(InvalidStatus) as refusal:
        async with desk.live.socket("x", desk.bob):
            pass
    assert refusal.value.response.status_code == 403
    await desk.share(desk.bob, "answer")
    async with desk.live.socket("x", desk.bob, "?after=0") as socket:
        (asked,) = [
            frame
            for frame in await hear_until(socket, "hitl_request")
            if frame["event_type"] == "hitl_request"
        ]
        await say(socket, "chat", message="hello")
        frames = await hear_until(socket, "error")
        assert frames[-1]["data"]["code"] == "PERMISSION_DENIED"
        await say(socket, "hitl_decision", interrupt_id=asked["data"]["interrupt_id"], **APPROVE)
        await hear_until(socket, "done")
        await desk.unshare(desk.bob)
        (told,) = await hear_until(socket, "error")
        assert told["data"]["code"] == "PERMISSION_DENIED"
        with pytest.raises(ConnectionClosed):
            await hear(socket)


async def test_an_event_stream_ends_with_the_right(desk: MCPInstallation):
    await desk.share(desk.bob)
    path = "/api/v1/sessions/x/events/stream"
    text = ""
    async with (
        asyncio.timeout(20),
        desk.live.http.stream("GET", path, headers=desk.bob.headers) as stream,
    ):
        assert stream.status_code == 200
        async for line in stream.aiter_lines():
            text += line + "\n"
            if "id: 1" in line:
                await desk.unshare(desk.bob)
    assert "PERMISSION_DENIED" in text
