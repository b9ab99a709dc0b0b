"""`dataagent mcp serve`, started and used by the SDK's own client over stdio, in both eras."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

from tests.warm.popen import launcher_words

DATAAGENT = Path(sys.executable).with_name("dataagent")


ERAS = ("legacy", "auto")
WRITE = {"name": "write_file", "args": {"file_path": "/by_agent.txt", "content": "hi"}}
SCRIPT = {
    "scripts": [
        {"match": "write", "steps": [{"tool_calls": [WRITE]}, {"text": "written"}]},
        {"match": "slow", "steps": [{"text": "word " * 400, "chunk_delay_s": 0.05}]},
        {"steps": [{"text": "hello there"}]},
    ]
}


async def yes(context: Any, params: Any) -> ElicitResult:
    del context, params
    return ElicitResult(action="accept", content={"decision": "approve"})


@pytest.fixture
def served(environment: dict[str, str], workspace: Path, tmp_path: Path) -> dict[str, Any]:
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT))
    (workspace / "sales.csv").write_text("city,amount\nRome,3\nOslo,4\n")
    return {"env": environment | {"DATAAGENT_MODEL": f"scripted:{script}"}, "cwd": str(workspace)}


@asynccontextmanager
async def client_of(
    served: dict[str, Any], era: str, *flags: str, **more: Any
) -> AsyncGenerator[Client]:
    command, *words = launcher_words([DATAAGENT, "mcp", "serve", *flags])
    program = StdioServerParameters(command=command, args=words, **served)
    async with asyncio.timeout(90), Client(program, mode=era, **more) as client:  # pyright: ignore[reportArgumentType] (an era's name)
        yield client


@pytest.mark.requirement("F6-6")
@pytest.mark.parametrize("era", ERAS)
async def test_local_data_files_and_the_agent_are_served(served: dict[str, Any], era: str):
    async with client_of(served, era) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"sql_query", "read_file", "write_file", "ask_agent"} <= names
        query = {"source": "sales.csv", "sql": "SELECT count(*) AS n FROM sales"}
        counted: Any = await client.call_tool("sql_query", query)
        assert not counted.is_error, counted.content[0].text
        assert "2" in counted.content[0].text
        told: Any = await client.call_tool("ask_agent", {"message": "hi"})
        assert told.content[0].text == "hello there"
        listed: Any = (await client.read_resource("dataagent://sessions")).contents[0]
        assert [one["session_id"] for one in json.loads(listed.text)] == [
            told.structured_content["session_id"]
        ]


async def test_charts_exports_and_reports_can_be_read_by_the_client(served: dict[str, Any]):
    async with client_of(served, "auto") as client:
        query = {"source": "sales.csv", "sql": "SELECT city, amount FROM sales"}
        asked: Any = await client.call_tool("sql_query", query)
        result_id = asked.structured_content["result"]["result_id"]
        chart: Any = await client.call_tool("chart_create", {"result_id": result_id})
        assert [part.type for part in chart.content][:2] == ["text", "image"]
        exported: Any = await client.call_tool("result_export", {"result_id": result_id})
        rows: Any = (await client.read_resource(exported.content[-1].uri)).contents[0]
        assert rows.text.splitlines()[1] == '"Rome",3'
        report = {
            "title": "Sales",
            "blocks": [{"type": "table", "query": result_id}],
            "formats": ["md"],
        }
        made: Any = await client.call_tool("report_create", report)
        assert not made.is_error, made.content[0].text
        links = [part for part in made.content if part.type == "resource_link"]
        read: Any = (await client.read_resource(links[0].uri)).contents[0]
        assert "Rome" in read.text


@pytest.mark.parametrize("era", ERAS)
async def test_what_asks_is_put_to_the_person_at_the_client(
    served: dict[str, Any], workspace: Path, era: str
):
    async with client_of(served, era, elicitation_callback=yes) as client:
        written: Any = await client.call_tool(
            "write_file", {"file_path": "/note.txt", "content": "hi"}
        )
        assert not written.is_error, written.content[0].text
        told: Any = await client.call_tool("ask_agent", {"message": "write it"})
        assert told.content[0].text == "written", told
    assert (workspace / "note.txt").read_text() == "hi"
    assert (workspace / "by_agent.txt").read_text() == "hi"


async def test_without_somebody_to_ask_nothing_is_written(served: dict[str, Any], workspace: Path):
    async with client_of(served, "auto") as client:
        refused: Any = await client.call_tool(
            "write_file", {"file_path": "/note.txt", "content": "hi"}
        )
        assert refused.structured_content["error_code"] == "APPROVAL_REQUIRED"
        told: Any = await client.call_tool("ask_agent", {"message": "write it"})
        assert told.structured_content["status"] == "waiting"
    assert sorted(path.name for path in workspace.iterdir()) == ["sales.csv"]


async def test_what_a_rule_denies_to_read_no_served_tool_opens(
    served: dict[str, Any], workspace: Path
):
    rules = Path(served["env"]["DATAAGENT_HOME"]) / "permissions.toml"
    rules.parent.mkdir(exist_ok=True)
    rules.write_text('[[rules]]\naction = "deny"\ntool = "read"\nresource = "/sales.csv"\n')
    (workspace / "way.csv").symlink_to("sales.csv")
    async with client_of(served, "auto", "--read-only") as client:
        query = {"source": "way.csv", "sql": "SELECT * FROM sales"}
        for tool, args in (
            ("grep", {"pattern": "Rome"}),
            ("read_file", {"file_path": "/way.csv"}),
            ("sql_query", query),
        ):
            answer: Any = await client.call_tool(tool, args)
            assert "Rome,3" not in answer.content[0].text
            assert answer.is_error == (tool != "grep")


async def test_read_only_offers_nothing_that_changes(served: dict[str, Any]):
    async with client_of(served, "auto", "--read-only") as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert "read_file" in names
        assert not names & {"write_file", "edit_file", "sql_write", "ask_agent"}
        refused: Any = await client.call_tool("write_file", {"file_path": "/a", "content": ""})
        assert refused.structured_content["error_code"] == "PERMISSION_DENIED"
    record = Path(served["env"]["DATAAGENT_HOME"]) / "mcp-calls.jsonl"
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert [(line["tool"], line["outcome"]) for line in lines] == [("write_file", "denied")]
    assert record.stat().st_mode & 0o077 == 0


async def test_cancelling_the_call_stops_the_run(served: dict[str, Any]):
    async with client_of(served, "legacy") as client:
        asking = asyncio.ensure_future(client.call_tool("ask_agent", {"message": "slow"}))
        session_id = ""
        while not session_id:
            listed: Any = (await client.read_resource("dataagent://sessions")).contents[0]
            session_id = next((one["session_id"] for one in json.loads(listed.text)), "")
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        # The session is free again: the run is over.
        again: Any = None
        while again is None or again.is_error:
            again = await client.call_tool("ask_agent", {"message": "hi", "session_id": session_id})
        assert again.content[0].text == "hello there"
