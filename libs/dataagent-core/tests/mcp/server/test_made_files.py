"""Charts, exports and reports over MCP: pictures in the answer, files as resources."""

import base64
from pathlib import Path
from typing import Any

import pytest
from drawn_results import keep, results_in
from mcp.shared.exceptions import MCPError
from mcp_services import FakeServices, ScriptedAgent, connect_client, serve_all
from query_services import make_services

from dataagent_core.config.limits.mcp import MCP_SERVED_FILE_BYTES_MAX
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.agent_tools.chart_tool import chart_create
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.output.artifacts import describe_files

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 100


@pytest.fixture
def root(tmp_path: Path) -> SafeRoot:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return SafeRoot(folder, links="refuse")


async def test_a_chart_comes_as_a_picture_and_its_files_as_resources(
    root: SafeRoot, tmp_path: Path
):
    results = results_in(tmp_path)
    kept = await keep(results, {"城市": ["北京", "上海"], "销售额": [1, 2]})
    renderer = Renderer(workers_max=1)
    tools = [
        chart_create.bind(make_services(tmp_path / "workspace", results=results, renderer=renderer))
    ]
    services = FakeServices(tools=tools, workspace=root)
    try:
        async with connect_client(services, serve_all(tools, chart_create=60.0)) as client:
            drawn: Any = await client.call_tool("chart_create", {"result_id": kept.result_id})
            text, picture, *links = drawn.content
            read: list[Any] = [(await client.read_resource(link.uri)).contents[0] for link in links]
    finally:
        await renderer.aclose()
    assert "各城市的销售额" in text.text
    assert picture.mime_type == "image/png"
    assert [link.mime_type for link in links] == ["image/png", "application/json"]
    assert base64.b64decode(read[0].blob) == base64.b64decode(picture.data)
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")
    assert '"bar"' in read[1].text


async def test_what_the_agent_made_comes_with_its_answer(root: SafeRoot):
    root.write_atomic("/outputs/r_1.csv", b"a,b\n1,2\n")
    root.write_atomic("/charts/a.png", PNG)
    made = describe_files(root, ["/charts/a.png", "/outputs/r_1.csv"])
    events = [
        {"event_type": "tool_result", "artifacts": made},
        {"event_type": "done", "reason": "completed", "content": "see the chart"},
    ]
    services = FakeServices(worker=ScriptedAgent(segments=[events]), workspace=root)
    async with connect_client(services, {}) as client:
        told: Any = await client.call_tool("ask_agent", {"message": "draw"})
        kinds = [part.type for part in told.content]
        rows: Any = (await client.read_resource(told.content[-1].uri)).contents[0]
    assert kinds == ["text", "image", "resource_link", "resource_link"]
    assert rows.text == "a,b\n1,2\n"


@pytest.mark.parametrize(
    "address", ["secret.txt", "charts/../secret.txt", "charts/none.png", "..%2Fsecret.txt"]
)
async def test_no_other_file_can_be_read_this_way(root: SafeRoot, address: str):
    root.write_atomic("/secret.txt", b"secret")
    async with connect_client(FakeServices(workspace=root), {}) as client:
        with pytest.raises(MCPError) as refused:
            await client.read_resource(f"dataagent://files/{address}")
    assert "secret'" not in str(refused.value).replace("/secret.txt'", "")


async def test_files_need_the_scope_of_data(root: SafeRoot):
    root.write_atomic("/charts/a.png", PNG)
    services = FakeServices(workspace=root, scopes=frozenset({"sessions:read"}))
    async with connect_client(services, {}) as client:
        with pytest.raises(MCPError, match="data:read"):
            await client.read_resource("dataagent://files/charts/a.png")


async def test_a_file_too_large_for_an_answer_names_the_way_to_its_rows(root: SafeRoot):
    root.write_atomic("/outputs/r_1.csv", b"0" * (MCP_SERVED_FILE_BYTES_MAX + 1))
    async with connect_client(FakeServices(workspace=root), {}) as client:
        with pytest.raises(MCPError, match="page by page"):
            await client.read_resource("dataagent://files/outputs/r_1.csv")
