"""`/mcp` of the real application, asked by the SDK's own client in both eras of the protocol."""

import pytest
from live_server import LiveServer
from mcp_client import ERAS, VERSIONS, Era, mcp_client, text_of


@pytest.mark.requirement("F6-6")
@pytest.mark.parametrize("era", ERAS)
async def test_a_client_of_either_era_lists_and_calls(live: LiveServer, era: Era):
    ann = await live.person()
    async with mcp_client(live, ann.headers, era) as client:
        assert client.protocol_version == VERSIONS[era]
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"sql_query", "read_file", "ask_agent"} <= names
        answer = await client.call_tool("ls", {"path": "/"})
        assert not answer.is_error, text_of(answer)
