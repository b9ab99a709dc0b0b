"""Two tenants, one `/mcp`: nobody sees, changes or learns of anything of the other's."""

import json
from typing import Any

import pytest
from live_server import LiveServer
from mcp.shared.exceptions import MCPError
from mcp_client import ERAS, Era, approve, audit_of, mcp_client, text_of


@pytest.mark.requirement("F6-6")
@pytest.mark.parametrize("era", ERAS)
async def test_two_tenants_see_only_their_own(live: LiveServer, era: Era):
    ann = await live.person("ann")
    bob = await live.person("bob", tenant_id=await live.tenant("other"))
    async with (
        mcp_client(live, ann.headers, era, approve) as hers,
        mcp_client(live, bob.headers, era, approve) as his,
    ):
        secret = {"file_path": "/secret.csv", "content": "word\nherring\n"}
        written = await hers.call_tool("write_file", secret)
        assert not written.is_error, text_of(written)
        query = {"source": "/secret.csv", "sql": "SELECT * FROM secret"}
        kept = await hers.call_tool("sql_query", query)
        result_id = (kept.structured_content or {})["result"]["result_id"]
        asked = await hers.call_tool("ask_agent", {"message": "hi"})
        session_id = (asked.structured_content or {})["session_id"]

        answers = [
            await his.call_tool("ls", {"path": "/"}),
            await his.call_tool("grep", {"pattern": "h.rr.ng"}),
            await his.call_tool("read_file", {"file_path": "/secret.csv"}),
            await his.call_tool("sql_query", query),
            await his.call_tool("result_page", {"result_id": result_id}),
            await his.call_tool("ask_agent", {"message": "hi", "session_id": session_id}),
        ]
        assert all("herring" not in text_of(answer) for answer in answers)
        assert all(answer.is_error for answer in answers[2:])
        for address in (f"sessions/{session_id}", f"results/{result_id}"):
            with pytest.raises(MCPError):
                await his.read_resource(f"dataagent://{address}")
        listed: Any = (await his.read_resource("dataagent://sessions")).contents[0]
        assert json.loads(listed.text) == []
    his_rows = await audit_of(live, bob)
    assert {row.tenant_id for row in his_rows} == {bob.who.tenant_id}
    assert "herring" not in "".join(row.detail for row in his_rows)


async def test_listings_name_kinds_of_resources_and_nothing_of_anybody_s(live: LiveServer):
    """What there is of a kind is read page by page, so that no listing grows with it."""
    ann = await live.person("ann")
    async with mcp_client(live, ann.headers, "auto", approve) as client:
        secret = {"file_path": "/secret.csv", "content": "word\nherring\n"}
        await client.call_tool("write_file", secret)
        query = {"source": "/secret.csv", "sql": "SELECT * FROM secret"}
        await client.call_tool("sql_query", query)
        await client.call_tool("ask_agent", {"message": "hi"})
        listed = await client.list_resources()
        templates = await client.list_resource_templates()
    assert [one.uri for one in listed.resources] == ["dataagent://sessions"]
    assert {one.uri_template.partition("{")[0] for one in templates.resource_templates} == {
        "dataagent://sessions/",
        "dataagent://results/",
        "dataagent://files/",
    }
    assert (listed.next_cursor, templates.next_cursor) == (None, None)


async def test_a_missing_thing_and_somebody_else_s_are_told_alike(live: LiveServer):
    ann = await live.person("ann")
    bob = await live.person("bob", tenant_id=await live.tenant("other"))
    session_id = await live.session(ann)
    async with mcp_client(live, bob.headers) as his:

        async def told(name: str) -> str:
            with pytest.raises(MCPError) as refused:
                await his.read_resource(f"dataagent://sessions/{name}")
            return str(refused.value).replace(name, "ID")

        assert await told(session_id) == await told("0123456789ab")
