"""`GET /api/v1/tools`: what a person's agent has, and what the rules say to it."""

from typing import Any

from live_server import Caller, LiveServer


async def tools_of(live: LiveServer, who: Caller, query: str = "") -> dict[str, dict[str, Any]]:
    answer = await live.http.get(f"/api/v1/tools{query}", headers=who.headers)
    assert answer.status_code == 200, answer.text
    assert answer.json()["notes"] == []
    return {tool["name"]: tool for tool in answer.json()["tools"]}


async def test_each_tool_says_where_it_is_from_and_what_would_happen(live: LiveServer):
    tools = await tools_of(live, await live.person())
    write = tools["write_file"]
    assert (write["title"], write["source"], write["shown"]) == ("write file", "built-in", "core")
    assert (write["rule"]["action"], write["rule"]["source"]) == ("ask", "default")
    assert set(write["input_schema"]["required"]) == {"file_path", "content"}
    assert tools["ls"]["rule"]["action"] == "allow"
    assert tools["ls"]["effect"] == "pure"
    assert {"sql_query", "write_todos", "task", "load_tools"} <= set(tools)


async def test_a_persons_own_rule_counts_for_them_alone(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    for tool in ("write_file", "shell"):
        rule = {"action": "deny", "tool": tool, "resource": "**"}
        made = await live.http.post("/api/v1/permissions/rules", json=rule, headers=ann.headers)
        assert made.status_code == 201, made.text
        told = (await tools_of(live, ann))[tool]["rule"]
        assert (told["action"], told["resource"]) == ("deny", "**")
        others = (await tools_of(live, bob))[tool]["rule"]
        assert (others["action"], others["source"]) == ("ask", "default")


async def test_what_is_not_there_is_not_found(live: LiveServer):
    ann = await live.person()
    for query in ("?assistant_id=nothing", "?project_id=nothing"):
        answer = await live.http.get(f"/api/v1/tools{query}", headers=ann.headers)
        assert (answer.status_code, answer.json()["error_code"]) == (404, "NOT_FOUND")
