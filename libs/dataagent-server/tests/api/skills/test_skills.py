"""`/api/v1/skills` and `/api/v1/tenant/skills`: S2's end points for skills."""

import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from live_server import Caller, LiveServer, open_live_server
from skill_texts import skill_text, skill_zip

from tests.server.fixtures import MakeSettings

# As S2 §14.4.3 has it.
CUSTOM = {
    "name": "custom-review",
    "description": "自定义代码审查",
    "scope": "tenant",
    "trigger_type": "keyword",
    "trigger_patterns": [{"pattern": "review code", "weight": 1.0}],
    "tools": ["memory_search", "graph_query"],
    "content": "---\nname: custom-review\ndescription: x\n---\n# 正文内容",
}


class SkillCaller:
    """An admin who asks for skills."""

    def __init__(self, live: LiveServer, who: Caller) -> None:
        self.live = live
        self.who = who

    async def ask(self, method: str, path: str, **more: Any):
        return await self.live.http.request(
            method, f"/api/v1{path}", headers=self.who.headers, **more
        )

    async def create(self, **fields: Any) -> dict[str, Any]:
        made = await self.ask("POST", "/skills", json=CUSTOM | fields)
        assert made.status_code == 201, made.text
        return made.json()


@pytest.fixture
async def live(make_settings: MakeSettings) -> AsyncGenerator[LiveServer]:
    async with open_live_server(make_settings()) as running:
        yield running


@pytest.fixture
async def admin(live: LiveServer) -> SkillCaller:
    return SkillCaller(live, await live.person(role="admin"))


@pytest.mark.parametrize("more", [{}, {"description": "New", "tags": ["b"]}])
async def test_a_change_keeps_what_it_does_not_name(admin: SkillCaller, more: dict[str, Any]):
    made = await admin.create(
        triggers=["look at it"], allowed_tools=["read_file"], tags=["a"], always_offered=True
    )
    changed = await admin.ask("PUT", f"/skills/{made['id']}", json={"content": "# New", **more})
    assert changed.status_code == 200, changed.text
    same = made.keys() - {"content", "problems", "updated_at", *more}
    assert {name: changed.json()[name] for name in same} == {name: made[name] for name in same}
    assert {name: changed.json()[name] for name in more} == more
    assert changed.json()["content"].endswith("---\n\n# New\n")


@pytest.mark.requirement("S2-14.4.1-POST-skills")
@pytest.mark.requirement("S2-14.4.1-GET-skill")
@pytest.mark.requirement("S2-14.4.1-PUT-skill")
@pytest.mark.requirement("S2-14.4.1-DELETE-skill")
@pytest.mark.requirement("S2-14.4.3")
async def test_a_skill_is_made_read_changed_and_deleted(admin: SkillCaller):
    made = await admin.create()
    # What S2's body says beside `content` is written into it.
    assert made | {name: CUSTOM[name] for name in CUSTOM if name != "content"} == made
    assert "自定义代码审查" in made["content"]
    assert made["content"].endswith("# 正文内容\n")
    assert (made["enabled"], made["is_disabled"], made["is_overridden"]) == (True, False, False)
    place = f"/skills/{made['id']}"
    assert (await admin.ask("GET", place)).json() == made
    assert (await admin.ask("POST", "/skills", json=CUSTOM)).status_code == 409
    changed = (await admin.ask("PUT", place, json={"summary": "Short", "enabled": False})).json()
    assert (changed["summary"], changed["is_disabled"]) == ("Short", True)
    wrong = await admin.ask("PUT", place, json={"content": "---\nname: [\n---\n"})
    assert (wrong.status_code, wrong.json()["error_code"]) == (422, "VALIDATION_ERROR")
    assert wrong.json()["details"]["problems"][0]["line"] >= 1
    assert (await admin.ask("GET", place)).json() == changed
    assert (await admin.ask("DELETE", place)).status_code == 204
    assert (await admin.ask("GET", place)).status_code == 404


@pytest.mark.requirement("S2-14.4.1-GET-skills")
@pytest.mark.requirement("S2-14.4.1-GET-skills-system")
async def test_skills_are_listed_by_scope_and_project(admin: SkillCaller):
    project = (await admin.ask("POST", "/projects", json={"name": "P"})).json()["project_id"]
    await admin.create()
    await admin.create(name="of-project", scope="project", project_id=project)

    async def listed(query: str) -> set[tuple[str, str]]:
        found = (await admin.ask("GET", f"/skills{query}")).json()["skills"]
        return {(one["name"], one["scope"]) for one in found}

    system = await listed("/system")
    assert ("code-review", "system") in system
    assert await listed("?scope=system") == system
    assert await listed("?scope=tenant") == {("custom-review", "tenant")}
    assert await listed("") == system | {("custom-review", "tenant")}
    own = ("of-project", "project")
    assert await listed(f"?project_id={project}") == {*system, ("custom-review", "tenant"), own}
    assert await listed(f"?scope=project&project_id={project}") == {own}
    assert (await admin.ask("GET", "/skills?project_id=nothing")).status_code == 404
    for wrong in ({"scope": "project"}, {"project_id": project}):
        refused = await admin.ask("POST", "/skills", json=CUSTOM | {"name": "x"} | wrong)
        assert refused.status_code == 422


@pytest.mark.requirement("S2-14.4.1-GET-content")
@pytest.mark.requirement("S2-14.4.1-PUT-content")
async def test_skill_md_is_downloaded_replaced_and_its_versions_compared(admin: SkillCaller):
    made = await admin.create()
    place = f"/skills/{made['id']}"
    first = await admin.ask("GET", f"{place}/content")
    assert first.text == made["content"]
    assert first.headers["content-type"] == "text/markdown; charset=utf-8"
    text = skill_text("custom-review", "Other words.")
    put = await admin.ask("PUT", f"{place}/content", json={"content": text})
    assert (put.json()["content"], put.json()["description"]) == (text, "Other words.")
    versions = (await admin.ask("GET", f"{place}/versions")).json()["versions"]
    assert [one["number"] for one in versions] == [2, 1]
    old = (await admin.ask("GET", f"{place}/versions/1")).json()
    assert (old["content"], old["created_by"]) == (made["content"], admin.who.who.user_id)
    assert (await admin.ask("GET", f"{place}/versions/3")).status_code == 404
    system = await admin.ask("GET", "/skills/system.code-review/content")
    assert system.text.startswith("---\nname: code-review\n")
    none = await admin.ask("GET", "/skills/system.code-review/versions/1")
    assert (none.status_code, "has no versions" in none.json()["message"]) == (404, True)
    refused = await admin.ask("PUT", "/skills/system.code-review/content", json={"content": text})
    assert refused.status_code == 409


@pytest.mark.requirement("S2-16.4-POST-skills-upload")
async def test_a_skill_is_uploaded_as_a_text_a_zip_file_or_a_folder(admin: SkillCaller):
    async def upload(*files: tuple[str, bytes], **fields: str):
        parts = [("file", (name, data)) for name, data in files]
        return await admin.ask("POST", "/skills/upload", files=parts, data=fields)

    text = await upload(("SKILL.md", skill_text("one").encode()))
    assert (text.status_code, text.json()["name"]) == (201, "one")
    packed = await upload(("two.zip", skill_zip("two")))
    assert packed.status_code == 201
    (file,) = packed.json()["files"]
    place = f"/skills/{packed.json()['id']}/files"
    script = await admin.ask("GET", f"{place}/{file['path']}")
    assert script.content == b"#!/usr/bin/env python3\n"
    assert script.headers["content-disposition"].startswith("attachment")
    assert (await admin.ask("GET", f"{place}/SKILL.md/../x")).status_code == 404
    again = skill_zip("two", {"assets/new.txt": b"new"})
    assert (await upload(("two.zip", again))).status_code == 409
    replaced = await upload(("two.zip", again), replace="true")
    assert replaced.json()["id"] == packed.json()["id"]
    assert [one["path"] for one in replaced.json()["files"]] == ["assets/new.txt"]
    folder = await upload(
        ("three/SKILL.md", skill_text("three").encode()), ("three/references/a.md", b"# A")
    )
    assert [one["path"] for one in folder.json()["files"]] == ["references/a.md"]
    for at, wrong in enumerate(
        (
            await upload(("x.zip", skill_zip("right-name", top="wrong-name"))),
            await upload(("wrong/SKILL.md", skill_text("right-name").encode()), ("wrong/a", b"")),
            await upload(("wrong/SKILL.md", skill_text("right-name").encode())),
            await upload(("wrong/SKILL.md", skill_text("right-name").encode()), replace="true"),
        )
    ):
        assert wrong.status_code == 422, at
        said = (
            f"The folder is called '{'wrong' if at else 'wrong-name'}' and the skill 'right-name'."
        )
        assert said in wrong.json()["message"]
    archive = await upload(("x.zip", skill_zip("right-name", top="right-name-main")))
    assert (archive.status_code, archive.json()["name"]) == (201, "right-name")
    outside = skill_zip("four", {"../../outside": b"x"})
    for refused in (
        await upload(("four.zip", outside)),
        await upload(("SKILL.md", b"\xff")),
        await upload(("SKILL.md", skill_text("x").encode()), scope="system"),
        await upload(("a/SKILL.md", skill_text("a").encode()), ("a/../b", b"")),
        await upload(("a/SKILL.md", skill_text("a").encode()), ("a/b", b"1"), ("a/b", b"2")),
        await upload(("two.zip", again), replace="yes"),
        await upload(("two.zip", again), scope="project", project_id="a\0b"),
    ):
        assert (refused.status_code, refused.json()["error_code"]) == (422, "VALIDATION_ERROR")
    for data, said in (
        (b"# Only a text", "line 1, column 1: SKILL.md does not begin with a line ---"),
        (b"PK, not the rest of a zip file", "The zip file cannot be read"),
    ):
        assert said in (await upload(("SKILL.md", data))).json()["message"]


async def test_a_skill_md_is_checked_without_being_stored(admin: SkillCaller):
    async def check(content: str, **more: str) -> dict[str, Any]:
        body = {"content": content} | more
        return (await admin.ask("POST", "/skills/validate", json=body)).json()

    fine = await check(skill_text())
    assert (fine["valid"], fine["problems"], fine["skill"]["name"]) == (True, [], "custom-review")
    broken = await check("---\nname: [\n---\n")
    assert (broken["valid"], broken["skill"]) == (False, None)
    (problem,) = broken["problems"]
    assert problem["line"] >= 1
    assert problem["column"] >= 1
    inner = (
        "---\nname: a\ndescription: b\nmetadata:\n  tags: x\n  trigger_type: sometimes\n---\n# A\n"
    )
    (hint,) = (await check(inner))["problems"]
    assert (hint["line"], hint["column"]) == (6, 3)
    other = await check(skill_text(), name="another")
    assert not other["valid"]
    assert not (await admin.ask("GET", "/skills?scope=tenant")).json()["skills"]


@pytest.mark.parametrize(
    "front",
    [
        """metadata: {trigger_patterns: '[{"pattern": "a", "weight": 0}]'}""",
        """metadata: {trigger_patterns: '[{"pattern": "a", "weight": -1e300}]'}""",
        f"metadata: {{trigger_patterns: [{'a' * 5_000}]}}",
        "metadata: {trigger_patterns: [{pattern: a, weight: .nan}]}",
        "? [a, b]\n: 2026-13-45\n1: !!binary aGk=\n<<: x",
        "allowed-tools: {a: 1e999}\ntags: {1: 2}\nstatus: [x]\nversion: 0x1f",
        'description: "unclosed',
        "tags: [unclosed",
        "name:\ta\n\t- b",
        "a: \0",
        'a: "\\0"',
        'a: "\\ud800"',
        "a: *b",
        "- no mapping",
        "",
    ],
)
async def test_whatever_is_typed_is_answered_and_an_error_has_its_place(
    admin: SkillCaller, front: str
):
    body = {"content": f"---\nname: a\ndescription: b\n{front}\n---\nText\n"}
    if front == "":
        body = {"content": "---\nlicense: MIT\n---\nText\n"}
    answer = await admin.ask("POST", "/skills/validate", json=body)
    assert answer.status_code == 200, answer.text
    for problem in answer.json()["problems"]:
        assert problem["is_warning"] or (problem["line"] >= 1 and problem["column"] >= 1), problem


@pytest.mark.requirement("S2-16.4-POST-skills-match")
async def test_a_message_finds_its_skill_with_scores_and_a_reason(admin: SkillCaller):
    made = await admin.create(triggers=["zebra crossing"])
    body = {"message": "Please paint a zebra crossing", "limit": 1}
    (found,) = (await admin.ask("POST", "/skills/match", json=body)).json()["matches"]
    assert (found["id"], found["scope"]) == (made["id"], "tenant")
    assert 0 < found["score"] <= 1
    assert found["keyword_score"] > 0
    assert found["reason"]
    await admin.ask("PUT", f"/skills/{made['id']}", json={"enabled": False})
    after = (await admin.ask("POST", "/skills/match", json=body)).json()["matches"]
    assert made["id"] not in {one["id"] for one in after}


@pytest.mark.requirement("S2-14.4.2-GET-config")
@pytest.mark.requirement("S2-14.4.2-POST-disable")
@pytest.mark.requirement("S2-14.4.2-POST-enable")
@pytest.mark.requirement("S2-14.4.2-POST-override")
async def test_a_tenant_disables_enables_and_overrides_a_system_skill(admin: SkillCaller):
    made = await admin.create()

    async def say(verb: str, **body: str):
        return await admin.ask("POST", f"/tenant/skills/{verb}", json=body)

    disabled = await say("disable", skill_name="code-review")
    assert disabled.status_code == 200
    (said,) = disabled.json()["configs"]
    assert (said["system_skill_name"], said["action"]) == ("code-review", "disable")
    assert (await admin.ask("GET", "/tenant/skills/config")).json() == disabled.json()
    assert (await admin.ask("GET", "/skills/system.code-review")).json()["is_disabled"]
    over = await say("override", skill_name="code-review", override_skill_id=made["id"])
    assert over.json()["configs"][0]["override_skill_id"] == made["id"]
    assert (await admin.ask("GET", "/skills/system.code-review")).json()["is_overridden"]
    assert (await say("enable", skill_name="code-review")).json() == {"configs": []}
    assert (await say("disable", skill_name="nothing")).status_code == 404
    wrong = await say("override", skill_name="code-review", override_skill_id="nothing")
    assert (wrong.status_code, wrong.json()["error_code"]) == (400, "OVERRIDE_REFUSED")


async def test_a_run_is_offered_the_tenants_skills_and_not_those_that_are_switched_off(
    admin: SkillCaller,
):
    made = await admin.create(triggers=["zebra crossing"])
    await admin.ask("POST", "/agents", json={"agent_id": "plain", "name": "Plain",
                                             "options": {"enable_skills": False}})  # fmt: skip

    async def offered(**more: Any) -> set[str]:
        answer = await admin.live.chat(admin.who, "Paint a zebra crossing", **more)
        assert answer["status"] == "done"
        return {one["name"] for one in answer["events"] if one["event_type"] == "skill"}

    assert made["name"] in await offered()
    assert await offered(assistant_id="plain") == set()
    await admin.ask("PUT", f"/skills/{made['id']}", json={"enabled": False})
    assert made["name"] not in await offered()


async def test_the_evals_of_a_skill_tell_recall_precision_and_who_gets_in_the_way(
    admin: SkillCaller,
):
    evals = {"should": ["paint a zebra crossing", "zebra crossing, again"],
             "should_not": ["what is the weather"]}  # fmt: skip
    text = skill_text("zebra", "Paints a zebra crossing on a street.")
    parts = [
        ("file", ("zebra/SKILL.md", text.encode())),
        ("file", ("zebra/evals/evals.json", json.dumps(evals).encode())),
    ]
    made = (await admin.ask("POST", "/skills/upload", files=parts)).json()
    report = (await admin.ask("POST", f"/skills/{made['id']}/test")).json()
    assert (report["prompts"], report["recall"]) == (3, 1.0)
    assert report["skills"][0]["name"] == "zebra"
    assert report["confusion"]["zebra"]["zebra"] == 2
    system = (await admin.ask("POST", "/skills/system.code-review/test")).json()
    assert system["prompts"] > 0
    # One that waits for tools is not in the way of others, and can be tried.
    waiting = "---\nname: waiting\ndescription: {}\nrequires_tools: [far_tool]\n---\nbody"
    body = {"name": "waiting", "scope": "tenant", "description": evals["should"][0]}
    body["content"] = waiting.format(body["description"])
    assert (await admin.ask("POST", "/skills", json=body)).status_code == 201
    again = (await admin.ask("POST", f"/skills/{made['id']}/test")).json()
    assert again["confusion"] == report["confusion"]
    assert (await admin.ask("POST", "/skills/system.memory-graph-querying/test")).json()["recall"]
    await admin.ask("POST", "/tenant/skills/disable", json={"skill_name": "code-review"})
    off = await admin.ask("POST", "/skills/system.code-review/test")
    assert (off.status_code, off.json()["error_code"]) == (409, "CONFLICT")


async def test_a_character_that_cannot_be_stored_or_shown_breaks_no_list(admin: SkillCaller):
    made = await admin.create()
    front = "---\nname: custom-review\ndescription: {}\nmetadata:\n  tags: {}\n---\nbody"
    for content, status in (
        (front.format(r'"a\0b"', "x"), 422),
        (front.format(r'"a\U00110000"', "x"), 422),
        (front.format(r'"a\ud800"', r"""'["\u0000", "\ud800"]'"""), 200),
    ):
        put = await admin.ask("PUT", f"/skills/{made['id']}/content", json={"content": content})
        assert put.status_code == status, put.text
    mine = (await admin.ask("GET", "/skills?scope=tenant")).json()["skills"]
    assert [(one["description"], one["tags"]) for one in mine] == [("a\ufffd", [])]


async def test_agents_here_have_the_tools_of_all_built_in_skills(admin: SkillCaller):
    listed = (await admin.ask("GET", "/skills")).json()["skills"]
    assert "memory-graph-querying" in {one["name"] for one in listed}
    assert {one["name"]: one["missing_tools"] for one in listed if one["missing_tools"]} == {}


async def test_a_skill_says_which_tools_no_agent_here_has_however_it_was_stored(admin: SkillCaller):
    needed = ["far_tool", "shell", "mcp__git__log"]
    front = "---\nname: waiting\ndescription: {}\ntriggers: [zebra crossing]\n{}---\nBody.\n"
    needs = f"requires_tools: {json.dumps(needed)}\n"
    text, other = front.format("First.", needs), front.format("Second.", needs)

    def says(skill: dict[str, Any]) -> tuple[list[str], list[str]]:
        return skill["requires_tools"], skill["missing_tools"]

    async def upload(**fields: str):
        parts = {"file": ("waiting/SKILL.md", text.encode())}
        return await admin.ask("POST", "/skills/upload", files=parts, data=fields)

    async def fitting() -> list[str]:
        message = {"message": "Paint a zebra crossing"}
        found = (await admin.ask("POST", "/skills/match", json=message)).json()
        return [one["name"] for one in found["matches"]]

    project = (await admin.ask("POST", "/projects", json={"name": "P"})).json()["project_id"]
    of_project = await admin.create(
        name="waiting", scope="project", project_id=project, content=other
    )
    made = (await upload()).json()
    place = f"/skills/{made['id']}"
    for shown in (
        await admin.ask("GET", f"/skills/{of_project['id']}"),
        await admin.ask("GET", place),
        await admin.ask("PUT", place, json={"summary": "Short"}),
        await admin.ask("PUT", f"{place}/content", json={"content": other}),
        await upload(replace="true"),
    ):
        assert says(shown.json()) == (needed, ["far_tool"])
    for written in ("content", "versions/1", "versions/2"):
        assert "requires_tools" in (await admin.ask("GET", f"{place}/{written}")).text
    override = {"skill_name": "code-review", "override_skill_id": made["id"]}
    await admin.ask("POST", "/tenant/skills/override", json=override)
    listed = (await admin.ask("GET", f"/skills?project_id={project}")).json()["skills"]
    own = [says(one) for one in listed if one["name"] == "waiting"]
    assert own == [(needed, ["far_tool"])] * 2
    # Agents are offered what does not miss a tool.
    assert await fitting() == []
    plain = {"content": front.format("First.", "")}
    changed = await admin.ask("PUT", f"{place}/content", json=plain)
    assert (says(changed.json()), await fitting()) == (([], []), ["waiting"])
