"""One conversation from its first message to its deletion, and S2's routes, on each database."""

import asyncio
import re
from typing import Any

import pytest
from eventually import eventually
from live_server import LiveServer, hear_until, open_live_server, say
from skill_texts import skill_text

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


SUBAGENT = {
    "name": "sales-analyst",
    "trigger": {"description": "Answers questions about sales", "keywords": ["quarterly sales"]},
    "system_prompt": "You know the sales tables.",
}
SEQUENCE = {
    "kind": "sequential",
    "inputs": {"q": {"type": "string"}},
    "steps": [{"args": {"query": "{{input.q}}"}}],
}


PLACES = re.compile("/api/v1/(agents|skills|subagents|tenant/(agent-config|skills)|tool-comp)")


def list_routes(live: LiveServer) -> set[tuple[str, str]]:
    return {
        (method.upper(), path)
        for path, methods in live.app.openapi()["paths"].items()
        if PLACES.match(path)
        for method in methods
    }


async def test_every_route_of_skills_sub_agents_and_compositions(
    make_settings: MakeSettings, database_url: str
):
    async with open_live_server(make_settings(database_url=database_url)) as live:
        admin = await live.person(role="admin")
        asked: set[tuple[str, str]] = set()

        async def ask(method: str, path: str, status: int = 200, **more: Any) -> Any:
            asked.add((method, f"/api/v1{path}".partition("?")[0]))
            answer = await live.http.request(
                method, f"/api/v1{path}", headers=admin.headers, **more
            )
            assert answer.status_code == status, (method, path, answer.text)
            kind = answer.headers.get("content-type", "")
            if kind.startswith("application/json") and answer.content:
                return answer.json()
            return answer.text if kind.startswith("text/") else answer.content

        await walk_skills(ask)
        await walk_agents(ask)
        await walk_compositions(ask)
        # What is walked through first counts: `/skills/match` is no id.
        routes = sorted(list_routes(live), key=lambda route: route[1].count("{"))
        reached = {_find_route(routes, *one) for one in asked}
        assert set(routes) - reached == set()


def _find_route(routes: list[tuple[str, str]], method: str, path: str) -> tuple[str, str] | None:
    for one, template in routes:
        pattern = re.sub(r"{\w+}", "[^/]+", template.replace("{path}", ".+"))
        if one == method and re.fullmatch(pattern, path):
            return one, template
    return None


async def walk_skills(ask: Any) -> None:
    """S2 §14.4 and §16.4 1.1."""
    body = {"name": "one", "description": "数据 👋", "scope": "tenant", "triggers": ["斑马线"]}
    one = await ask("POST", "/skills", 201, json=body)
    place = f"/skills/{one['id']}"
    assert await ask("GET", place) == one
    assert (await ask("PUT", place, json={"tags": ["a"]}))["tags"] == ["a"]
    message = {"message": "画一条斑马线"}
    (fit,) = (await ask("POST", "/skills/match", json=message))["matches"]
    assert (fit["name"], fit["id"], fit["scope"]) == ("one", one["id"], "tenant")
    text = skill_text("one", "Makes 月报.")
    assert (await ask("PUT", f"{place}/content", json={"content": text}))["content"] == text
    assert await ask("GET", f"{place}/content") == text
    assert (await ask("POST", "/skills/match", json=message))["matches"] == []
    assert (await ask("POST", "/skills/validate", json={"content": text}))["valid"]
    assert (await ask("GET", f"{place}/versions/3"))["content"] == text
    versions = (await ask("GET", f"{place}/versions"))["versions"]
    assert [version["number"] for version in versions] == [3, 2, 1]
    parts = [("file", ("two/SKILL.md", skill_text("two").encode())),
             ("file", ("two/assets/a.bin", b"\0\xff"))]  # fmt: skip
    two = await ask("POST", "/skills/upload", 201, files=parts)
    assert [file["size_bytes"] for file in two["files"]] == [2]
    assert await ask("GET", f"/skills/{two['id']}/files/assets/a.bin") == b"\0\xff"
    tested = await ask("POST", "/skills/system.code-review/test")
    assert "code-review" in [one["name"] for one in tested["skills"]]
    name = {"skill_name": "code-review"}
    override = name | {"override_skill_id": one["id"]}
    for path, sent, action in (
        ("disable", name, "disable"),
        ("override", override, "override"),
        ("enable", name, None),
        ("override", override, "override"),
    ):
        configs = (await ask("POST", f"/tenant/skills/{path}", json=sent))["configs"]
        assert [config["action"] for config in configs] == ([action] if action else [])
    await ask("DELETE", place, 204)
    # ON DELETE SET NULL (S2 §13): it stays overridden, by nothing.
    (config,) = (await ask("GET", "/tenant/skills/config"))["configs"]
    assert (config["action"], config["override_skill_id"]) == ("override", None)
    system = (await ask("GET", "/skills/system"))["skills"]
    assert [skill["name"] for skill in system if skill["is_overridden"]] == ["code-review"]
    listed = (await ask("GET", "/skills?scope=tenant"))["skills"]
    assert [skill["name"] for skill in listed] == ["two"]


async def walk_agents(ask: Any) -> None:
    """S2 §14.3, §16.4 1.2 and §4.1's TenantAgentConfig."""
    built_in = await ask("GET", "/subagents/general-purpose/stats")
    assert (built_in["total_invocations"], built_in["by_day"]) == (0, [])
    await ask("PUT", "/tenant/agent-config", json={"temperature": 0.25, "max_iterations": 3})
    assert (await ask("GET", "/tenant/agent-config"))["temperature"] == 0.25
    one = await ask("POST", "/subagents", 201, json=SUBAGENT)
    assert (one["temperature"], one["max_iterations"], one["version"]) == (0.25, 3, "1.0.0")
    place = f"/subagents/{one['id']}"
    changed = await ask("PUT", place, json=SUBAGENT | {"display_name": "销售"})
    assert (changed["display_name"], changed["version"]) == ("销售", "1.0.1")
    assert await ask("GET", place) == changed
    for enabled in (False, True):
        switched = await ask("PATCH", f"{place}/enable", json={"enabled": enabled})
        assert switched["enabled"] is enabled
    listed = (await ask("GET", "/subagents"))["items"]
    assert [each["name"] for each in listed if not each["is_built_in"]] == ["sales-analyst"]
    match = await ask("POST", "/subagents/match", json={"message": "quarterly sales"})
    assert match["chosen"] == ["sales-analyst"]
    stats = await ask("GET", f"{place}/stats")
    assert (stats["total_invocations"], stats["success_rate"]) == (0, 1.0)
    invoked = await ask("POST", f"/agents/{one['id']}/invoke", 202, json={"message": "look"})
    path = f"/agents/{one['id']}/activities?limit=5"

    async def has_ended() -> bool:
        tasks = [row for row in (await ask("GET", path))["items"] if row["type"] == "subagent"]
        return [row["status"] for row in tasks] == ["completed"]

    await eventually(has_ended)
    activities = await ask("GET", path)
    assert activities["next"] is None
    (task,) = (row for row in activities["items"] if row["type"] == "subagent")
    assert (task["name"], task["agent_id"]) == ("sales-analyst", one["id"])
    assert (task["session_id"], task["run_id"]) == (invoked["session_id"], invoked["run_id"])
    parts = [row for row in activities["items"] if row["type"] != "subagent"]
    assert {row["parent_activity_id"] for row in parts} == {task["id"]}
    assert (await ask("GET", f"{place}/stats"))["total_invocations"] == 1
    two = SUBAGENT | {"name": "two", "kind": "subagent"}
    made = await ask("POST", "/agents", 201, json=two)
    put = await ask("PUT", f"/agents/{made['agent_id']}", json=two | {"display_name": "Two"})
    assert await ask("GET", f"/agents/{made['agent_id']}") == put
    renamed = {"name": "Ours"}
    assistant = await ask("POST", "/agents", 201, json={"name": "Mine"})
    place_of_it = f"/agents/{assistant['agent_id']}"
    assert (await ask("PATCH", place_of_it, json=renamed))["name"] == "Ours"
    kinds = {each["kind"] for each in (await ask("GET", "/agents"))["items"]}
    assert kinds == {"assistant", "subagent"}
    await ask("DELETE", f"/agents/{made['agent_id']}", 204)
    await ask("DELETE", place, 204)
    await ask("GET", place, 404)


async def walk_compositions(ask: Any) -> None:
    """S2 §7.4 and §16.4 2.2."""
    body = {"name": "look_up", "tools": ["grep"], "execution_template": SEQUENCE}
    one = await ask("POST", "/tool-compositions", 201, json=body)
    place = f"/tool-compositions/{one['id']}"
    put = await ask("PUT", place, json={"description": "查", "number": 1})
    assert (await ask("GET", "/tool-compositions"))["items"] == [put]
    assert await ask("GET", place) == put
    assert (await ask("POST", "/tool-compositions/validate", json=body))["problems"] == []
    proposal = await ask("POST", f"{place}/optimize")
    assert proposal["outcome"] == "measured_too_little"
    assert await ask("GET", f"{place}/members") == {"members": []}
    await ask("DELETE", place, 204)
