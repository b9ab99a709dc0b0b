"""Names of MCP tools: what every provider takes, unique, stable (the way back: `test_servers.py`)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits.mcp import MCP_NAME_PREFIX_CHARS_MAX
from dataagent_core.mcp.tool_names import server_prefix, tool_name
from dataagent_core.tools.registry import check_tool_name

HOSTILE = ["", " ", "__", "a__b", "_a", "a_", "创建 issue", "x" * 300, "read_file", "a/b", "a.b"]
ANY_TEXT = st.text(max_size=80) | st.sampled_from(HOSTILE)
PLAIN_TEXT = st.from_regex(r"[a-z]{1,8}(-[a-z]{1,8})?", fullmatch=True)


@pytest.mark.requirement("S2-10.5")
@pytest.mark.parametrize(
    ("tenant", "server", "tool", "name"),
    [
        ("acme", "neo4j-tools", "cypher_query", "mcp__acme_neo4j-tools__cypher_query"),
        ("acme", "github-api", "create_issue", "mcp__acme_github-api__create_issue"),
        ("local", "files", "read_file", "mcp__local_files__read_file"),
        ("local", "files", "_hidden", "mcp__local_files___hidden"),
    ],
)
def test_plain_names_are_written_as_s2_writes_them(
    tenant: str, server: str, tool: str, name: str
) -> None:
    assert tool_name(tenant, server, tool) == name


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_every_provider_takes_the_name_whatever_it_is_made_of(
    tenant: str, server: str, tool: str
) -> None:
    name = tool_name(tenant, server, tool)
    assert check_tool_name(name) == name
    prefix = server_prefix(tenant, server)
    assert name.startswith(prefix)
    assert prefix.startswith("mcp__")
    assert len(prefix) <= MCP_NAME_PREFIX_CHARS_MAX


@pytest.mark.requirement("F6-4")
@given(ANY_TEXT, st.lists(st.tuples(ANY_TEXT, ANY_TEXT), unique=True, max_size=30))
def test_two_tools_never_share_a_name(tenant: str, tools: list[tuple[str, str]]) -> None:
    names = {tool_name(tenant, server, tool) for server, tool in tools}
    assert len(names) == len(tools)


@pytest.mark.parametrize("tool", ["创建 issue", "x" * 80, "a b", "", "x_deadbeef"])
def test_a_name_that_was_changed_ends_in_a_hash(tool: str) -> None:
    name = tool_name("local", "s", tool)
    assert re.search(r"_[0-9a-f]{8}\Z", name)


def test_a_server_cannot_take_the_name_of_another_tool() -> None:
    hashed = tool_name("local", "s", "创建")
    imitation = hashed.removeprefix("mcp__local_s__")
    assert tool_name("local", "s", imitation) != hashed


def test_where_server_and_tool_could_be_read_in_two_ways_they_are_kept_apart() -> None:
    pairs = [("a__b", "c"), ("a", "b__c"), ("a_", "_b"), ("a", "__b"), ("a_", "b"), ("a", "_b")]
    assert len({tool_name("t", *pair) for pair in pairs}) == len(pairs)


def test_all_tools_of_a_server_with_a_long_name_share_its_prefix() -> None:
    server = "a-server-with-a-name-that-nobody-would-type"
    names = [tool_name("f3a1b2c4d5e6f7a8", server, tool) for tool in ("one", "two", "x" * 99)]
    prefix = server_prefix("f3a1b2c4d5e6f7a8", server)
    assert all(name.startswith(prefix) for name in names)
    assert names[0] == prefix + "one"
