"""Calls through `/mcp`: scopes, the gate, both ways to ask a person, and the audit."""

import json
from typing import Any

import pytest
from live_server import Caller, LiveServer, open_live_server
from mcp_client import ERAS, Era, approve, audit_of, code_of, mcp_client, text_of
from mcp_types import ElicitResult, InputRequiredResult

from dataagent_core.config.paths import ensure_user_home, user_home
from dataagent_server.common.pagination import PageRequest
from dataagent_server.data.reports.report_records import StoredReport
from dataagent_server.identity.auth.principal import Scope, operator
from dataagent_server.workspaces.agent_workspace import open_for_agent
from tests.server.fixtures import MakeSettings

WRITE = {"file_path": "/note.txt", "content": "hi"}


async def with_scopes(live: LiveServer, caller: Caller, *scopes: Scope) -> dict[str, str]:
    made = await live.services.people.keys.create(
        operator(caller.who.tenant_id), "narrow", user_id=caller.who.user_id, scopes=scopes
    )
    return {"X-API-Key": made.secret}


async def files_of(live: LiveServer, caller: Caller) -> dict[str, str]:
    who = caller.who
    space = await open_for_agent(live.services.data.workspaces, who.tenant_id, who.user_id)
    return {path.name: path.read_text() for path in space.path.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    ("scopes", "there", "missing"),
    [
        (("read",), {"read_file"}, {"write_file", "sql_query", "ask_agent", "sql_write"}),
        (("files",), {"read_file", "write_file"}, {"sql_query", "ask_agent"}),
        (("chat",), {"sql_query", "ask_agent"}, {"write_file", "sql_write"}),
        (("admin",), {"sql_query", "ask_agent", "write_file", "sql_write"}, set[str]()),
    ],
)
async def test_a_key_is_offered_what_its_scopes_cover(
    live: LiveServer, scopes: tuple[Scope, ...], there: set[str], missing: set[str]
):
    ann = await live.person()
    async with mcp_client(live, await with_scopes(live, ann, *scopes)) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert there <= names
        assert not missing & names
        for name in missing:
            refused = await client.call_tool(name, {})
            assert code_of(refused) == "PERMISSION_DENIED", text_of(refused)
    rows = await audit_of(live, ann)
    assert {row.resource for row in rows} == {f"tool:{name}" for name in missing}
    assert {json.loads(row.detail)["outcome"] for row in rows} <= {"denied"}


async def test_an_unknown_tool_is_recorded_as_unknown(live: LiveServer):
    ann = await live.person()
    async with mcp_client(live, ann.headers) as client:
        assert (await client.call_tool("drop_everything", {})).is_error
    (row,) = await audit_of(live, ann)
    assert (row.resource, json.loads(row.detail)["outcome"]) == ("tool:drop_everything", "unknown")


@pytest.mark.parametrize("era", ERAS)
async def test_what_asks_is_refused_where_nobody_can_be_asked(live: LiveServer, era: Era):
    ann = await live.person()
    async with mcp_client(live, ann.headers, era) as client:
        refused = await client.call_tool("write_file", WRITE)
    assert code_of(refused) == "APPROVAL_REQUIRED"
    assert "config.toml" in text_of(refused)
    assert await files_of(live, ann) == {}


@pytest.mark.requirement("F6-6")
@pytest.mark.parametrize("era", ERAS)
async def test_a_person_s_yes_lets_one_call_through(live: LiveServer, era: Era):
    ann = await live.person()
    asked: list[str] = []

    async def answer(context: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return await approve(context, params)

    async with mcp_client(live, ann.headers, era, answer) as client:
        done = await client.call_tool("write_file", WRITE)
        assert not done.is_error, text_of(done)
        again = await client.call_tool("write_file", {**WRITE, "content": "again"})
        assert not again.is_error, text_of(again)
    assert [("write_file" in text, "/note.txt" in text) for text in asked] == [(True, True)] * 2
    assert await files_of(live, ann) == {"note.txt": "again"}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ["decline", "cancel", "accept"])
async def test_anything_but_a_yes_is_a_no(live: LiveServer, era: Era, action: str):
    ann = await live.person()

    async def answer(context: Any, params: Any) -> ElicitResult:
        del context, params
        content: Any = {"decision": "decline"} if action == "accept" else None
        return ElicitResult.model_validate({"action": action, "content": content})

    async with mcp_client(live, ann.headers, era, answer) as client:
        refused = await client.call_tool("write_file", WRITE)
    assert code_of(refused) == "PERMISSION_DENIED"
    assert await files_of(live, ann) == {}


async def test_an_answer_counts_once_and_for_its_own_arguments(live: LiveServer):
    ann = await live.person()
    yes = ElicitResult(action="accept", content={"decision": "approve"})
    async with mcp_client(live, ann.headers, "auto", approve) as client:

        async def call(arguments: dict[str, Any], **more: Any) -> Any:
            return await client.session.call_tool(
                "write_file", arguments, allow_input_required=True, **more
            )

        needed = await call(WRITE)
        assert isinstance(needed, InputRequiredResult)
        answer = {"input_responses": {"person": yes}, "request_state": needed.request_state}
        done = await call(WRITE, **answer)
        assert not done.is_error, text_of(done)
        assert isinstance(await call(WRITE, **answer), InputRequiredResult)
        with pytest.raises(Exception, match=r"(?i)state"):
            await call({**WRITE, "content": "other"}, **answer)
    assert await files_of(live, ann) == {"note.txt": "hi"}


async def test_an_answer_is_taken_by_another_process_and_once_by_all(make_settings: MakeSettings):
    settings = make_settings(mcp_stateless="true")
    yes = ElicitResult(action="accept", content={"decision": "approve"})
    async with open_live_server(settings) as one, open_live_server(settings) as other:
        ann = await one.person()

        async def call(live: LiveServer, **more: Any) -> Any:
            async with mcp_client(live, ann.headers, "auto", approve) as client:
                return await client.session.call_tool(
                    "write_file", WRITE, allow_input_required=True, **more
                )

        needed = await call(one)
        answer = {"input_responses": {"person": yes}, "request_state": needed.request_state}
        done = await call(other, **answer)
        assert not done.is_error, text_of(done)
        assert isinstance(await call(one, **answer), InputRequiredResult)


async def test_a_call_is_recorded_with_what_went_in_and_came_out(live: LiveServer):
    ann = await live.person()
    async with mcp_client(live, ann.headers) as client:
        await client.call_tool("ls", {"path": "/"})
        await client.call_tool("read_file", {"file_path": "/missing"})
        await client.call_tool("read_file", {"path": 1})
    rows = await audit_of(live, ann)
    details = [json.loads(row.detail) for row in rows]
    assert [detail["outcome"] for detail in details] == ["ok", "error", "invalid"]
    assert [detail["input"] for detail in details] == [
        {"path": "/"},
        {"file_path": "/missing"},
        {"path": 1},
    ]
    assert all(isinstance(detail["duration_ms"], int) for detail in details)
    assert "/missing" in details[1]["error"]
    assert rows[0].actor.startswith(f"user:{ann.who.user_id}")


async def test_a_wrong_argument_is_told_field_by_field(live: LiveServer):
    ann = await live.person()
    async with mcp_client(live, ann.headers) as client:
        wrong = await client.call_tool("sql_query", {"source": 5, "sqll": "SELECT 1"})
    assert code_of(wrong) == "VALIDATION_ERROR"
    errors = (wrong.structured_content or {})["details"]["errors"]
    assert any("sqll" in error for error in errors)
    assert any("`sql`" in error or "sql is missing" in error for error in errors)


@pytest.mark.parametrize("era", ERAS)
async def test_files_of_the_workspace_are_asked_with_sql_and_read_as_a_resource(
    live: LiveServer, era: Era
):
    ann = await live.person()
    who = ann.who
    space = await open_for_agent(live.services.data.workspaces, who.tenant_id, who.user_id)
    (space.path / "sales.csv").write_text("city,amount\nRome,3\nOslo,4\n")
    async with mcp_client(live, ann.headers, era) as client:
        query = {"source": "/sales.csv", "sql": "SELECT count(*) AS total FROM sales"}
        answer = await client.call_tool("sql_query", query)
        assert not answer.is_error, text_of(answer)
        assert "2" in text_of(answer)
        result_id = (answer.structured_content or {})["result"]["result_id"]
        page = await client.read_resource(f"dataagent://results/{result_id}")
        rows: Any = page.contents[0]
        assert json.loads(rows.text)["rows"] == [[2]]
        table = await client.read_resource(f"dataagent://results/{result_id}?format=csv&limit=1")
        text: Any = table.contents[0]
        assert (text.text, text.mime_type) == ("total\n2\n", "text/csv")


async def test_what_a_rule_denies_to_read_no_served_tool_opens(live: LiveServer):
    ann = await live.person()
    who = ann.who
    space = await open_for_agent(live.services.data.workspaces, who.tenant_id, who.user_id)
    (space.path / "sales.csv").write_text("city,amount\nRome,3\n")
    home = ensure_user_home(user_home(live.services.settings.home, who.tenant_id, who.user_id))
    (home / "permissions.toml").write_text(
        '[[rules]]\naction = "deny"\ntool = "read"\nresource = "/sales.csv"\n'
    )
    async with mcp_client(live, ann.headers, "auto") as client:
        found = await client.call_tool("grep", {"pattern": "Rome"})
        assert text_of(found).startswith("No line under")
        query = {"source": "/sales.csv", "sql": "SELECT * FROM sales"}
        assert "denies reading" in text_of(await client.call_tool("sql_query", query))


async def test_a_report_of_the_same_title_is_written_again_until_its_owner_changes_it(
    live: LiveServer,
):
    ann, bob = await live.person(), await live.person("bob")
    service = live.services.reports.service

    async def made(who: Caller, text: str) -> list[StoredReport]:
        async with mcp_client(live, who.headers) as client:
            query = {"source": "/sales.csv", "sql": "SELECT count(*) AS total FROM sales"}
            answer = await client.call_tool("sql_query", query)
            result_id = (answer.structured_content or {})["result"]["result_id"]
            figure = {"type": "figure", "query": result_id, "label": "Sales", "column": "total"}
            blocks = [{"type": "text", "markdown": text}, figure]
            report = {"title": "Sales", "blocks": blocks, "formats": ["md"]}
            wrote = await client.call_tool("report_create", report)
            assert not wrote.is_error, text_of(wrote)
        return list((await service.list(who.who, PageRequest())).items)

    for who in (ann, bob):
        place = await open_for_agent(
            live.services.data.workspaces, who.who.tenant_id, who.who.user_id
        )
        (place.path / "sales.csv").write_text("city,amount\nRome,3\n")
    (first,) = await made(ann, "One.")
    (again,) = await made(ann, "Two.")
    assert (again.report_id, again.version) == (first.report_id, 2)
    assert "Two." in again.definition
    # It belongs to no session that anybody could open.
    assert again.session_id is None
    assert [one.version for one in await made(bob, "Mine.")] == [1]
    await service.change(ann.who, again.report_id, again.definition.replace("Two.", "My own."))
    kept = {one.report_id: one.definition for one in await made(ann, "Three.")}
    assert len(kept) == 2
    assert "My own." in kept[again.report_id]
