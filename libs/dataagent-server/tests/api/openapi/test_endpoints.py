"""The end points of S0 are there and work (property 23); what succeeds answers in JSON (24)."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from live_server import LiveServer
from operations import described_paths
from persona import Persona, Step
from projected_log import add_plan

from dataagent_core.memory.graph.graph_service import NewEpisode
from dataagent_core.memory.memory import MemoryScope, MemorySource

_PARAMETER: Final = re.compile(r"{(\w+)}")


@pytest.fixture
async def ann(unlimited_live: LiveServer) -> Persona:
    """Somebody who may do everything in a tenant of their own."""
    tenant = await unlimited_live.tenant("ours")
    return Persona(unlimited_live, await unlimited_live.person("ann", "owner", tenant))


async def asked(ann: Persona, method: str, path: str, body: Any = None) -> Any:
    answer = await ann.raw(method, path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def chats(ann: Persona, session_id: str) -> None:
    told = await asked(ann, "POST", "/chat", {"message": "hi", "session_id": session_id})
    assert (told["session_id"], told["status"]) == (session_id, "done")


async def cancels(ann: Persona, session_id: str) -> None:
    waiting = await ann.live.chat(ann.caller, "write", session_id=session_id)
    told = await asked(ann, "POST", f"/chat/{session_id}/cancel")
    assert (told["status"], told["run_id"]) == ("cancelled", waiting["run_id"])
    await ann.live.reached(ann.caller, session_id, "cancelled")


async def lists_sessions(ann: Persona, session_id: str) -> None:
    told = await asked(ann, "GET", "/sessions")
    assert [one["session_id"] for one in told["items"]] == [session_id]


async def shows_a_session(ann: Persona, session_id: str) -> None:
    assert (await asked(ann, "GET", f"/sessions/{session_id}"))["session_id"] == session_id


async def deletes_a_session(ann: Persona, session_id: str) -> None:
    assert (await ann.raw("DELETE", f"/sessions/{session_id}")).status_code == 204
    assert (await ann.raw("GET", f"/sessions/{session_id}")).status_code == 404
    await ann.live.session(ann.caller, session_id=session_id)


async def lists_agents(ann: Persona, session_id: str) -> None:
    told = await asked(ann, "GET", "/agents")
    assistants = [one["agent_id"] for one in told["items"] if one["kind"] == "assistant"]
    assert assistants == ["default"]


async def tells_its_health(ann: Persona, session_id: str) -> None:
    assert (await asked(ann, "GET", "/health"))["status"] == "ok"


# S0, "REST API 路由", and its cancel end point.
REQUIRED: Final[dict[str, Callable[[Persona, str], Awaitable[None]]]] = {
    "POST /chat": chats,
    "POST /chat/{session_id}/cancel": cancels,
    "GET /sessions": lists_sessions,
    "GET /sessions/{session_id}": shows_a_session,
    "DELETE /sessions/{session_id}": deletes_a_session,
    "GET /agents": lists_agents,
    "GET /health": tells_its_health,
}


def at_every_end_point(test: Callable[..., Any]) -> Callable[..., Any]:
    """Ask each end point in every run, whichever else are drawn."""
    for required in REQUIRED:
        test = example(required=required, session_id="s")(test)
    return test


@pytest.mark.requirement("S0-23")
@at_every_end_point
@given(
    required=st.sampled_from(sorted(REQUIRED)),
    session_id=st.from_regex(r"[a-z0-9]{1,64}", fullmatch=True),
)
async def test_s0_23_every_required_end_point_does_its_work(
    ann: Persona, required: str, session_id: str
):
    await ann.live.session(ann.caller, session_id=session_id)
    await REQUIRED[required](ann, session_id)
    assert (await ann.raw("DELETE", f"/sessions/{session_id}")).status_code == 204


def json_reads() -> list[str]:
    """List what the API's description says can be read, and that it answers in JSON alone.

    Streams, metrics and files are no JSON (PROTOCOL.md); the description says which these are.
    """
    return [
        path.removeprefix("/api/v1")
        for path, methods in described_paths().items()
        if [*methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {})]
        == ["application/json"]
    ]


# What these show is made by programs of others, or by queries over files.
ELSEWHERE: Final = {
    "/data/results/{result_id}",
    "/data/results/{result_id}/rows",
    "/data/search",
    "/data/files/reading",
    "/data/tables",
    "/data/tables/describe",
    "/mcp/oauth/client.json",
    "/mcp/servers/{name}/tools",
    "/reports/{report_id}/runs/{run_id}",
    "/reports/{report_id}/schedules/{schedule_id}",
}
READS: Final = sorted(set(json_reads()) - ELSEWHERE)
QUERIES: Final = {"/workspaces/{workspace_id}/files": "?path=/"}


async def learn_entity(ann: Persona) -> str:
    """Let Ann's graph read a sentence, and return the id of somebody in it."""
    tenant_id, user_id = ann.caller.who.tenant_id, ann.caller.who.user_id
    graph = ann.live.services.graph.memory_of(tenant_id).graph
    assert graph is not None
    scope = MemoryScope.of_user(tenant_id, user_id, "default")
    source = MemorySource(kind="conversation", session_id="x", run_id="r", seq_first=1, seq_last=1)
    said = "Alice Miller works at Acme Corporation."
    await graph.add_episode(NewEpisode(scope=scope, content=said, source=source))
    await graph.process_pending()
    found = await asked(ann, "GET", "/graph/entities")
    return found["items"][0]["id"]


@pytest.fixture
async def known(ann: Persona) -> dict[str, str]:
    """The ids of what Ann has, by their names in paths."""
    for verb in ("new session", "write", "new project", "new agent", "new workspace", "new key",
                 "new mcp", "new source", "new report", "new question", "new subagent",
                 "new skill", "new composition", "new pattern", "store workflow", "credential",
                 "remember"):  # fmt: skip
        await ann.do(Step(verb, "x", "a"))
    (request,) = (await asked(ann, "GET", "/sessions/x/requests"))["requests"]
    await add_plan(ann.live.services, ann.caller.who.tenant_id, "x", request["run_id"])
    return {
        "session_id": "x",
        "conversation_id": "x",
        "name": "x",
        "agent_id": "x",
        "provider": "openai",
        "run_id": (await ann.live.run_of(ann.caller, "x")).run_id,
        "interrupt_id": request["interrupt_id"],
        "tenant_id": ann.caller.who.tenant_id,
        "user_id": ann.caller.who.user_id,
        "number": "1",
        "entity_id": await learn_entity(ann),
    } | {
        f"{kind}_id": ann.thing(kind, "x")
        for kind in (
            "project",
            "workspace",
            "key",
            "report",
            "question",
            "subagent",
            "skill",
            "composition",
            "pattern",
            "memory",
        )
    }


@pytest.mark.requirement("S0-24")
@given(
    path=st.sampled_from(READS),
    accept=st.sampled_from(["*/*", "application/json", "text/html", "nonsense"]),
)
async def test_s0_24_what_can_be_read_is_answered_with_json(
    ann: Persona, known: dict[str, str], path: str, accept: str
):
    answer = await ann.raw("GET", filled(path, known), headers={"accept": accept})
    assert_json(answer, 200, path)


@pytest.mark.requirement("S0-24")
async def test_s0_24_there_is_nothing_to_read_that_was_never_tried(
    ann: Persona, known: dict[str, str]
):
    for path in READS:
        assert_json(await ann.raw("GET", filled(path, known)), 200, path)


def filled(path: str, known: dict[str, str]) -> str:
    return _PARAMETER.sub(lambda found: known[found.group(1)], path) + QUERIES.get(path, "")


def assert_json(answer: httpx.Response, status: int, path: str) -> None:
    assert answer.status_code == status, (path, answer.text)
    assert answer.headers["content-type"] == "application/json", path
    assert isinstance(answer.json(), dict | list), path


# What is made and changed, in an order in which each succeeds.
CHANGES: Final[list[tuple[str, str, Any, int]]] = [
    ("POST", "/sessions", {"session_id": "new", "title": "New"}, 201),
    ("POST", "/chat", {"message": "hi", "session_id": "new"}, 200),
    ("PATCH", "/sessions/new", {"title": "Old"}, 200),
    ("PUT", "/sessions/new/mode", {"mode": "plan"}, 200),
    ("POST", "/sessions/new/fork", {}, 201),
    ("POST", "/agents", {"agent_id": "made", "name": "A"}, 201),
    ("PUT", "/agents/made", {"name": "B"}, 200),
    ("PATCH", "/agents/made", {"name": "C"}, 200),
    ("POST", "/keys", {"name": "K"}, 201),
    ("POST", "/ws-tickets", {"session_id": "new"}, 201),
]


@pytest.mark.requirement("S0-24")
async def test_s0_24_what_is_made_and_changed_is_answered_with_json(ann: Persona):
    for method, path, body, status in CHANGES:
        assert_json(await ann.raw(method, path, json=body), status, path)
