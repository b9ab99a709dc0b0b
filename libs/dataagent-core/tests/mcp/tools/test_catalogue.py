"""Two hundred MCP tools in the prompt: listed by server, loaded and found, under 3,000 tokens."""

import json
from pathlib import Path

import pytest
from agents import events_of, scripted
from langchain_core.utils.function_calling import convert_to_openai_tool
from mcp_offering import Offering, Person, agent, agent_servers, config, listed, results, using

from dataagent_core.mcp.access import MCPAccess
from dataagent_core.tools.catalog import estimate_tokens, render_catalog

TOOLS_PER_SERVER = 50
SERVERS = ["github", "jira", "neo4j-tools", "数据仓库"]
VERBS = ["create", "list", "update", "delete", "search", "merge", "close", "export", "move", "tag"]
NOUNS = ["issue", "branch", "pull_request", "comment", "release"]
ABOUT = "Use this to work on items of the remote system. It takes many options and returns pages."


def fifty() -> Offering:
    fields = {f"field_{n}": {"type": "string", "description": "x" * 80} for n in range(8)}
    tools = [
        listed(f"{verb}_{noun}", fields, description=f"{verb} one {noun} of a project. {ABOUT}")
        for verb in VERBS
        for noun in NOUNS
    ]
    return Offering(tools)


@pytest.mark.requirement("F6-4")
async def test_two_hundred_tools_cost_under_3000_tokens_by_s2s_estimate() -> None:
    async with agent_servers(fifty(), *map(config, SERVERS), tenant="acme") as servers:
        tools = (await servers.list_offers()).tools
    assert len(tools) == 4 * TOOLS_PER_SERVER == 200
    text = render_catalog(tools)
    assert estimate_tokens(text) < 3_000
    assert text.count("mcp__acme_github__") == 1
    assert text.count("## mcp:") == len(SERVERS)
    # Every tool can be named from what is written there.
    assert text.count("\ncreate_issue") == len(SERVERS)
    whole = estimate_tokens(json.dumps([convert_to_openai_tool(tool) for tool in tools]))
    assert whole > 20 * 3_000


async def test_a_run_with_two_hundred_tools_pays_that_and_no_more(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    offering.tools = fifty().tools
    bare, many = scripted({"text": "ok"}), scripted({"text": "ok"})
    for model, servers in ((bare, [config("off", disabled=True)]), (many, [*map(config, SERVERS)])):
        made = agent(model, tmp_path, access, servers=servers, handler=Person())
        await events_of(made, session=f"s{id(model)}")
        await made.aclose()
    prompts = [str(model.requests[0][0].text) for model in (bare, many)]
    more = estimate_tokens(prompts[1]) - estimate_tokens(prompts[0])
    assert 0 < more < 3_000


async def test_a_model_finds_loads_and_calls_a_tool_of_the_list(
    access: MCPAccess, offering: Offering, tmp_path: Path
) -> None:
    offering.tools = fifty().tools
    name = "mcp__local_jira__merge_branch"
    model = scripted(
        using("find_tools", query="merge a branch jira"),
        using("load_tools", names=[name]),
        using(name, field_1="main"),
        {"text": "ok"},
    )
    made = agent(model, tmp_path, access, servers=[*map(config, SERVERS)], handler=Person())
    found, loaded, called = results(await events_of(made))
    await made.aclose()
    assert name in str(found.result)
    assert f"Loaded, call them from now on: {name}" in str(loaded.result)
    assert called.status == "success"
    assert offering.called == [("merge_branch", {"field_1": "main"})]
