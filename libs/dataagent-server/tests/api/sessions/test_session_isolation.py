"""Whose session it is: another tenant finds nothing, a colleague is refused, an admin may look."""

from typing import Any

import pytest
from live_server import Caller, LiveServer
from projected_log import projected_log

from dataagent_core.planning import PlanStep, WorkPlan
from dataagent_server.common.ids import DEFAULT_TENANT

SKIP = [{"op": "skip", "step_number": 1}]
READS = [
    ("GET", "/sessions/{session}"),
    ("GET", "/sessions/{session}/messages"),
    ("GET", "/sessions/{session}/events"),
    ("GET", "/sessions/{session}/execution-status"),
    ("GET", "/sessions/{session}/tool-executions"),
    ("GET", "/sessions/{session}/requests"),
    ("GET", "/sessions/{session}/runs"),
    ("GET", "/sessions/{session}/checkpoints"),
    ("GET", "/sessions/{session}/export?format=json"),
    ("GET", "/agent/conversations/{session}/runs"),
    ("GET", "/agent/conversations/{session}/checkpoints"),
    ("GET", "/agent/conversations/{session}/events"),
    ("GET", "/agent/conversations/{session}/execution-status"),
    ("GET", "/agent/conversations/{session}/tool-executions"),
    ("GET", "/agent/conversations/{session}/execution"),
    ("GET", "/sessions/{session}/context"),
    ("GET", "/sessions/{session}/state"),
    ("GET", "/sessions/{session}/plan"),
    ("GET", "/agent/conversations/{session}/plan"),
    ("GET", "/runs/{run}"),
]
STREAMS = [
    ("GET", "/sessions/{session}/events/stream"),
    ("GET", "/agent/conversations/{session}/events/stream"),
]
CHANGES: list[tuple[str, str, Any]] = [
    ("PATCH", "/sessions/{session}", {"title": "Mine"}),
    ("PUT", "/sessions/{session}/mode", {"mode": "auto"}),
    ("PATCH", "/sessions/{session}/plan", {"version": 1, "edits": SKIP}),
    ("PATCH", "/agent/conversations/{session}/plan", {"version": 1, "edits": SKIP}),
    ("POST", "/chat", {"message": "hi", "session_id": "{session}"}),
    ("POST", "/agent/chat", {"message": "hi", "conversation_id": "{session}"}),
    ("POST", "/sessions/{session}/resume", None),
    ("POST", "/sessions/{session}/compact", None),
    ("POST", "/agent/conversations/{session}/resume", None),
]
ADMIN_CHANGES: list[tuple[str, str, Any]] = [
    ("POST", "/chat/{session}/cancel", None),
    ("POST", "/runs/{run}/cancel", None),
    ("POST", "/requests/{request}", {"decision": {"type": "reject"}}),
    ("DELETE", "/sessions/{session}", None),
]


class Place:
    """A session of Ann's in which a run waits for an answer."""

    def __init__(self, live: LiveServer, answer: dict[str, Any]) -> None:
        self.live = live
        self.names = {
            "session": answer["session_id"],
            "run": answer["run_id"],
            "request": answer["events"][-1]["interrupt_id"],
        }

    async def ask(self, caller: Caller, method: str, path: str, body: Any = None, **names: str):
        known = self.names | names
        if body is not None:
            body = {k: v.format(**known) if isinstance(v, str) else v for k, v in body.items()}
        url = f"/api/v1{path.format(**known)}"
        return await self.live.http.request(method, url, json=body, headers=caller.headers)


@pytest.fixture
async def place(live: LiveServer) -> Place:
    ann = await live.person()
    chat = await live.chat(ann, "write it")
    plan = WorkPlan(
        id=chat["run_id"],
        conversation_id=chat["session_id"],
        steps=(PlanStep(step_number=1, description="Write it"),),
    )
    log = projected_log(live.services, DEFAULT_TENANT)
    await log.append(chat["session_id"], chat["run_id"], [plan.to_event("made")])
    return Place(live, chat)


async def test_another_tenant_is_told_exactly_what_is_told_of_nothing(
    live: LiveServer, place: Place
):
    eve = await live.person("eve", "owner", await live.tenant("other"))
    nothing = {"session": "nothing", "run": "nothing", "request": "nothing"}
    everything = [(m, p, None) for m, p in [*READS, *STREAMS]] + CHANGES + ADMIN_CHANGES
    for method, path, body in everything:
        foreign = await place.ask(eve, method, path, body)
        missing = await place.ask(eve, method, path, body, **nothing)
        assert foreign.status_code == missing.status_code == 404, path
        told, expected = foreign.json(), missing.json()
        for name, text in place.names.items():
            told["message"] = told["message"].replace(text, nothing[name])
        del told["request_id"], expected["request_id"]
        assert told == expected, path
    assert (await place.ask(eve, "GET", "/sessions?everyone=true")).json()["items"] == []
    run = await live.services.runs.service.runs(
        DEFAULT_TENANT, place.names["session"], only_open=True
    )
    assert [one.status for one in run] == ["waiting_approval"]


@pytest.mark.parametrize("role", ["member", "viewer"])
async def test_a_colleague_is_refused(live: LiveServer, place: Place, role: Any):
    bob = await live.person("bob", role)
    everything = [(m, p, None) for m, p in [*READS, *STREAMS]] + CHANGES + ADMIN_CHANGES
    for method, path, body in everything:
        refused = await place.ask(bob, method, path, body)
        assert (refused.status_code, refused.json()["error_code"]) == (403, "PERMISSION_DENIED"), (
            path
        )
    assert (await place.ask(bob, "GET", "/sessions")).json()["items"] == []
    assert (await place.ask(bob, "GET", "/sessions?everyone=true")).status_code == 403


async def test_an_admin_looks_and_stops_but_does_not_talk_for_others(
    live: LiveServer, place: Place
):
    admin = await live.person("ada", "admin")
    for method, path in READS:
        assert (await place.ask(admin, method, path)).status_code == 200, path
    for method, path, body in CHANGES:
        assert (await place.ask(admin, method, path, body)).status_code == 403, path
    listed = (await place.ask(admin, "GET", "/sessions?everyone=true")).json()["items"]
    assert [one["session_id"] for one in listed] == [place.names["session"]]
    assert (await place.ask(admin, "POST", "/chat/{session}/cancel")).status_code == 200


async def test_nobody_is_told_nothing(unlimited_live: LiveServer):
    ann = await unlimited_live.person()
    place = Place(unlimited_live, await unlimited_live.chat(ann, "write it"))
    nobody = Caller(None, "")  # pyright: ignore[reportArgumentType]
    everything = [(m, p, None) for m, p in [*READS, *STREAMS]] + CHANGES + ADMIN_CHANGES
    for method, path, body in everything:
        assert (await place.ask(nobody, method, path, body)).status_code == 401, path


async def test_a_viewer_starts_nothing(live: LiveServer):
    vic = await live.person("vic", "viewer")
    for path, body in (
        ("/sessions", {}),
        ("/chat", {"message": "hi"}),
        ("/agent/chat", {"message": "hi"}),
    ):
        answer = await live.http.post(f"/api/v1{path}", json=body, headers=vic.headers)
        assert answer.status_code == 403, path
    assert live.services.connections.total == 0


async def test_the_same_id_in_two_tenants_is_two_sessions(live: LiveServer):
    ann = await live.person()
    eve = await live.person("eve", "member", await live.tenant("other"))
    for caller in (ann, eve):
        await live.session(caller, session_id="same")
    await live.chat(ann, "secret", session_id="same")
    empty = await live.http.get("/api/v1/sessions/same/messages", headers=eve.headers)
    assert empty.json()["messages"] == []
    await live.http.delete("/api/v1/sessions/same", headers=eve.headers)
    kept = await live.http.get("/api/v1/sessions/same/messages", headers=ann.headers)
    assert [one["role"] for one in kept.json()["messages"]] == ["user", "assistant"]
