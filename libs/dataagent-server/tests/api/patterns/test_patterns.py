"""Patterns over REST: people see, change and delete their own, admins all."""

import asyncio
from typing import Any

import pytest
from eventually import eventually
from live_server import LiveServer
from patterns_live import GOAL, PATTERNS, WRITTEN, list_patterns, request, teach

from dataagent_core.engine.loops.pattern_use import USE_PATTERN

AT_ONCE = 12


@pytest.mark.requirement("S2-14.2-GET-patterns")
async def test_what_succeeded_three_times_is_listed_with_its_steps_counts_and_runs(
    live: LiveServer,
):
    ann, bob = await live.person("ann"), await live.person("bob")
    runs = await teach(live, ann, "monday", "tuesday")
    (draft,) = await list_patterns(live, ann)
    assert (draft["state"], draft["success_count"], draft["user_id"]) == (
        "draft", 2, ann.who.user_id,
    )  # fmt: skip
    # Another person's draft says what they did: it is not there.
    assert await list_patterns(live, bob) == []
    await request(live, bob, "GET", f"{PATTERNS}/{draft['id']}", status=404)
    runs += await teach(live, ann, "wednesday")
    shown = await request(live, ann, "GET", f"{PATTERNS}/{draft['id']}")
    assert (shown["state"], shown["success_rate"], shown["usage_count"]) == ("trusted", 1.0, 3)
    assert [step["tools"] for step in shown["steps"]] == [["ls"]]
    assert shown["tool_compositions"] == [
        [{"tool": "ls", "args": {"path": "text"}, "by_subagent": False}]
    ]
    assert "monday" not in str(shown)
    assert [run["run_id"] for run in shown["runs"]] == runs
    assert {run["rate"] for run in shown["runs"]} == {1.0}
    # In use it is everybody's to see; whose runs they were is not.
    seen = await request(live, bob, "GET", f"{PATTERNS}/{draft['id']}")
    assert [(run["run_id"], run["success"]) for run in seen["runs"]] == [(None, True)] * 3
    assert [one["id"] for one in await list_patterns(live, bob)] == [draft["id"]]
    assert await list_patterns(live, bob, "?mine=true") == []


@pytest.mark.requirement("S2-14.2-GET-patterns")
async def test_lists_have_pages_and_filters(live: LiveServer):
    ann, root = await live.person("ann"), await live.person("root", "admin")
    for number in ("sales", "costs", "profits"):
        goal = {"goal": f"Sum up the {number}", "name": number}
        await request(live, root, "POST", PATTERNS, WRITTEN | goal, status=201)
    await teach(live, ann, "monday")
    found: list[str] = []
    after = ""
    while True:
        page = await request(live, root, "GET", f"{PATTERNS}?limit=2{after}")
        assert len(page["items"]) <= 2
        found += [one["name"] for one in page["items"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert found[1:] == ["profits", "costs", "sales"]
    assert len(await list_patterns(live, root, "?state=draft")) == 4
    assert await list_patterns(live, root, "?state=trusted") == []
    assert len(await list_patterns(live, root, "?mine=true")) == 3
    assert len(await list_patterns(live, root, f"?tenant_id={root.who.tenant_id}")) == 4
    for query in ("tenant_id=other", "state=golden", "after=%00", "limit=0", "mine=perhaps"):
        await request(live, root, "GET", f"{PATTERNS}?{query}", status=422)


@pytest.mark.requirement("S2-14.2-POST-patterns")
async def test_an_admin_writes_a_pattern_which_runs_have_to_prove(live: LiveServer):
    root, ann = await live.person("root", "admin"), await live.person("ann")
    body = WRITTEN | {
        "description": "Mail it to bob@example.com, password is hunter2",
        "tool_compositions": [[{"tool": "sql_query", "args": {"sql": "text"}}]],
    }
    await request(live, ann, "POST", PATTERNS, body, status=403)
    made = await request(live, root, "POST", PATTERNS, body, status=201)
    assert (made["state"], made["usage_count"], made["made_by_hand"]) == ("draft", 0, True)
    assert "bob@" not in str(made)
    assert "hunter2" not in str(made)
    again = body | {"goal": "sum up last week's sales by region please"}
    await request(live, root, "POST", PATTERNS, again, status=409)
    for wrong in ({"goal": "?!"}, {"steps": []}, {"steps": [{"tools": ["rm -rf /"]}]}):
        refused = WRITTEN | {"goal": "Count the hens"} | wrong
        await request(live, root, "POST", PATTERNS, refused, status=422)
    look = WRITTEN | {"goal": GOAL.format(day="may"), "name": "Look"}
    look = await request(live, root, "POST", PATTERNS, look, status=201)
    # Runs learn into the written one, because it is of the same task.
    await live.chat(ann, GOAL.format(day="monday"))

    async def counted() -> bool:
        shown = await request(live, root, "GET", f"{PATTERNS}/{look['id']}")
        return (shown["usage_count"], shown["user_id"]) == (1, root.who.user_id)

    await eventually(counted)
    assert len(await list_patterns(live, root)) == 2


@pytest.mark.requirement("S2-6.5.8-control")
@pytest.mark.requirement("S2-14.2-DELETE-patterns")
async def test_people_change_and_delete_their_own_and_admins_all(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    root = await live.person("root", "admin")
    await teach(live, ann, "monday", "tuesday", "wednesday")
    (pattern,) = await list_patterns(live, ann)
    path = f"{PATTERNS}/{pattern['id']}"
    edit = {"version": pattern["version"], "name": "Look 看", "steps": [{"description": "Look"}]}
    for method, more, body in (
        ("PATCH", "", edit), ("DELETE", "", None), ("POST", "/useless", None),
    ):  # fmt: skip
        await request(live, bob, method, path + more, body, status=403)
    changed = await request(live, ann, "PATCH", path, edit)
    assert (changed["name"], changed["steps"][0]["description"]) == ("Look 看", "Look")
    assert changed["success_count"] == 3
    late = await request(live, root, "PATCH", path, edit | {"name": "Late"}, status=409)
    assert late["details"]["pattern"] == changed
    await request(live, ann, "PATCH", path, {"version": 99, "name": "\u200b"}, status=422)
    now = await request(live, root, "PATCH", path, {"version": changed["version"], "name": "Boss"})
    assert now["name"] == "Boss"
    await request(live, root, "DELETE", path, status=204)
    await request(live, ann, "GET", path, status=404)
    await teach(live, ann, "thursday")
    (again,) = await list_patterns(live, ann)
    assert again["usage_count"] == 1
    await request(live, ann, "POST", f"{PATTERNS}/{again['id']}/useless", status=204)
    assert await list_patterns(live, root) == []
    audited = await request(live, root, "GET", "/audit?action=pattern.*")
    assert [row["action"] for row in audited["items"]] == [
        "pattern.useless", "pattern.delete", "pattern.change", "pattern.change",
    ]  # fmt: skip


async def test_of_many_changes_at_once_one_makes_each_version(live: LiveServer):
    root = await live.person("root", "admin")
    made = await request(live, root, "POST", PATTERNS, WRITTEN, status=201)
    path = f"/api/v1{PATTERNS}/{made['id']}"

    async def change(number: int) -> tuple[int, Any]:
        body = {"version": 1, "name": f"Name {number}"}
        answer = await live.http.patch(path, json=body, headers=root.headers)
        return answer.status_code, answer.json()

    answers = await asyncio.gather(*(change(number) for number in range(AT_ONCE)))
    (won,) = (told for status, told in answers if status == 200)
    lost = [told for status, told in answers if status == 409]
    assert len(lost) == AT_ONCE - 1
    assert all(told["details"]["pattern"] == won for told in lost)
    deleted = await asyncio.gather(
        *(live.http.delete(path, headers=root.headers) for _ in range(AT_ONCE))
    )
    assert sorted(answer.status_code for answer in deleted) == [204] + [404] * (AT_ONCE - 1)


@pytest.mark.requirement("F21-5-switches")
@pytest.mark.requirement("S2-6.5.8-control")
@pytest.mark.requirement("S2-B-learning")
@pytest.mark.parametrize("switch", ["tenant", "person", "session", "message"])
async def test_each_switch_keeps_runs_from_being_learned_from(live: LiveServer, switch: str):
    root = await live.person("root", "owner")
    acme = await live.tenant("acme")
    ann = await live.person("ann", tenant_id=acme)
    body: dict[str, Any] = {}
    match switch:
        case "tenant":
            off = {"limits": {"features_enabled": {"patterns": False}}}
            await request(live, root, "PATCH", f"/tenants/{acme}", off)
        case "person":
            path = f"/users/{ann.who.user_id}"
            boss = await live.person("boss", "admin", acme)
            await request(live, boss, "PATCH", path, {"learns_patterns": False}, status=403)
            said = await request(live, ann, "PATCH", path, {"learns_patterns": False})
            assert said["learns_patterns"] is False
        case "session":
            body["session_id"] = await live.session(ann, enable_workflow_learning=False)
        case _:
            body["planning"] = {"learn": False}
    told = await live.chat(ann, GOAL.format(day="monday"), **body)
    # Not by its feedback either.
    await request(live, ann, "POST", f"/runs/{told['run_id']}/feedback", {"rating": "up"})
    assert await list_patterns(live, ann) == []


async def test_a_run_that_works_by_a_pattern_says_so_in_the_history(live: LiveServer):
    ann = await live.person()
    await teach(live, ann, "monday", "tuesday", "wednesday")
    (pattern,) = await list_patterns(live, ann)
    body = {"message": GOAL.format(day="thursday"), "planning": {"ask": True}}
    told = await request(live, ann, "POST", "/chat", body)
    (asked,) = (await request(live, ann, "GET", f"/sessions/{told['session_id']}/requests"))[
        "requests"
    ]
    assert asked["request"]["question_type"] == "pattern"
    answer = {"decision": {"type": "answer", "answer": USE_PATTERN}}
    await request(live, ann, "POST", f"/requests/{asked['interrupt_id']}", answer)
    await live.reached(ann, told["session_id"], "completed")
    path = f"/agent/conversations/{told['session_id']}/execution"
    (run,) = (await request(live, ann, "GET", path))["items"]
    assert run["workflow_pattern_id"] == pattern["id"]
    # Nobody can be asked: it is a hint alone, and the run is only like it.
    await live.chat(ann, GOAL.format(day="friday"))

    async def counted() -> bool:
        shown = await request(live, ann, "GET", f"{PATTERNS}/{pattern['id']}")
        return [one["worked_by_it"] for one in shown["runs"]] == [*[False] * 3, True, False]

    await eventually(counted)
