"""`mcp.json`: every valid file loads as it is meant, and a wrong one is refused in a sentence."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_configs import as_common, as_list, as_map, configs

from dataagent_core.config.limits.mcp import MCP_FILE_BYTES_MAX
from dataagent_core.errors import ConfigurationError, DataAgentError, ValidationError
from dataagent_core.mcp import MCPConfig, MCPServerConfig
from dataagent_core.mcp.config import OAuthSettings
from dataagent_core.mcp.configuration.config_file import config_from


def server(**fields: Any) -> MCPServerConfig:
    (found,) = config_from({"mcpServers": {"x": fields}}, "f").servers
    return found


@pytest.mark.requirement("S0-47")
@given(config=configs, form=st.sampled_from([as_list, as_map, as_common]), indent=st.booleans())
def test_s0_property_47_every_valid_file_loads_in_all_three_forms(
    config: MCPConfig,
    form: Callable[[MCPConfig], dict[str, Any]],
    indent: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("mcp") / "mcp.json"
    path.write_text(json.dumps(form(config), indent=2 if indent else None))
    assert MCPConfig.from_file(path) == config


@pytest.mark.requirement("S2-10.4")
def test_the_examples_of_the_documents_are_read():
    listed = {
        "name": "filesystem",
        "command": "uvx",
        "args": ["mcp-server-filesystem", "/workspace"],
        "env": {},
        "disabled": False,
    }
    assert config_from({"servers": [listed]}, "f").servers == [
        MCPServerConfig(
            name="filesystem", command="uvx", args=["mcp-server-filesystem", "/workspace"]
        )
    ]
    mapped = {
        "neo4j-tools": {"type": "stdio", "command": "npx", "env": {"A": "${A}"}},
        "github-api": {
            "type": "sse",
            "url": "https://mcp.github.com/sse",
            "oauth": {"token_endpoint": "https://github.com/t", "client_id": "${ID}"},
        },
    }
    neo4j, github = config_from({"servers": mapped}, "f").servers
    assert (neo4j.transport, neo4j.env) == ("stdio", {"A": "${A}"})
    assert github.transport == "sse"
    assert github.oauth == OAuthSettings(token_endpoint="https://github.com/t", client_id="${ID}")


@pytest.mark.parametrize("content", ["{}", '{"servers": []}', '{"$schema": "x"}', "\ufeff{}"])
def test_a_file_that_is_missing_or_empty_holds_no_servers(content: str, tmp_path: Path):
    assert MCPConfig.from_file(tmp_path / "none.json") == MCPConfig()
    path = tmp_path / "mcp.json"
    path.write_text(content)
    assert MCPConfig.from_file(path) == MCPConfig()


@pytest.mark.parametrize(
    ("named", "kind"),
    [
        ({"url": "https://a.org"}, "http"),
        ({"url": "wss://a.org"}, "ws"),
        ({"url": "https://a.org", "type": "streamable-http"}, "http"),
        ({"url": "https://a.org", "transport": "sse"}, "sse"),
        ({"url": "ws://a.org", "type": "websocket"}, "ws"),
        ({"url": "https://a.org", "type": "http", "transport": "streamable-http"}, "http"),
        ({"url": "${BASE}/mcp"}, "http"),
        ({"command": "uvx"}, "stdio"),
        ({"command": "uvx", "url": None, "timeout": None}, "stdio"),
    ],
)
def test_the_transport_is_named_or_told_from_the_address(named: dict[str, Any], kind: str):
    assert server(**named).transport == kind


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "neither a 'command' nor a 'url'"),
        ({"command": "a", "url": "https://a.org"}, "both a 'command' and a 'url'"),
        ({"command": ["npx", "-y"]}, "a list as 'command'; it must be a text"),
        ({"command": "a", "args": "-y"}, "a text as 'args'; it must be a list of texts"),
        ({"command": "a", "args": ["x", 1]}, "a number as 'args[]'"),
        ({"command": "a", "env": {"PORT": 8080}}, "a number as 'env.PORT'"),
        ({"command": "a", "env": []}, "a list as 'env'"),
        ({"command": "a", "env": {"A=B": ""}}, "'A=B' in 'env'"),
        ({"command": "a", "env": {"": "x"}}, "'' in 'env'"),
        ({"command": "a\x00b"}, "a NUL character in 'command'"),
        ({"command": "a", "env": {"A": "\x00"}}, "a NUL character in 'env'"),
        ({"command": "a", "args": ["\ud800"]}, "half a character"),
        ({"command": "a", "args": ["x" * 40_000]}, "40,000 characters in 'args'"),
        ({"command": "a", "args": ["x"] * 501}, "501 texts in 'args'"),
        ({"command": "a", "timeout": 0}, "the timeout 0; it is in seconds, from 1 to 600"),
        ({"command": "a", "timeout": 601}, "the timeout 601"),
        ({"command": "a", "timeout": 1.5}, "a number as 'timeout'; it must be a whole number"),
        ({"command": "a", "timeout": True}, "true or false as 'timeout'"),
        ({"command": "a", "disabled": "no"}, "a text as 'disabled'"),
        ({"command": "a", "disabled": True, "enabled": True}, "both true"),
        ({"command": "a", "type": "pigeon"}, "the transport 'pigeon'; known are"),
        ({"command": "a", "type": "stdio", "transport": "sse"}, "Keep one"),
        ({"command": "a", "type": "http"}, "has a 'command' but the transport 'http'"),
        ({"url": "https://a.org", "type": "stdio"}, "has a 'url' but the transport 'stdio'"),
        ({"url": "file:///etc/passwd"}, "begins with 'file'"),
        ({"url": "ws://a.org", "type": "http"}, "begins with 'ws'"),
        ({"url": "https://a.org", "type": "ws"}, "needs ws:// or wss://HOST/PATH"),
        ({"url": "https://"}, "needs http:// or https://HOST/PATH"),
        ({"url": "https://a.org/ b"}, "spaces or control characters"),
        ({"url": "http://[::1"}, "no address"),
        ({"url": "http://a.org:99999"}, "no address"),
        ({"url": "ftp://${HOST}/x"}, "begins with 'ftp'"),
        ({"url": "https://a.org", "headers": {"A B": "x"}}, "'A B' in 'headers'"),
        ({"url": "https://a.org", "headers": {"A": "x\r\nB: y"}}, "in the header 'A'"),
        ({"url": "https://a.org", "oauth": True}, "true or false as 'oauth'"),
        ({"url": "https://a.org", "oauth": {"scopes": "a"}}, "in 'oauth' has a text as 'scopes'"),
        ({"command": "a", "network": "some"}, "the network 'some'"),
        ({"command": "a", "network": "hosts"}, "but no 'hosts'"),
        ({"command": "a", "hosts": ["a.org"]}, "not the network 'hosts'"),
        ({"command": "a", "network": "hosts", "hosts": ["http://a"]}, "'http://a' in 'hosts'"),
        ({"command": "a", "read_paths": ["data"]}, "the path 'data'"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_file_its_name_and_the_way_out(
    fields: dict[str, Any], says: str
):
    with pytest.raises(ValidationError) as caught:
        config_from({"servers": [{"name": "fs", **fields}]}, "my/mcp.json")
    told = str(caught.value)
    assert told.startswith("my/mcp.json: the server 'fs' ")
    assert says in told
    assert told.endswith(".")


@pytest.mark.parametrize(
    "name", ["", "a b", "a__b", "../x", ".", "-x", "a/b", "x" * 65, "ü", "a\n", "a\x00"]
)
def test_a_name_that_could_not_stand_in_a_tools_name_is_refused(name: str):
    with pytest.raises(ValidationError, match="cannot be the name of a server: use 1 to 64"):
        config_from({"mcpServers": {name: {"command": "a"}}}, "f")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[]", "is not a JSON object"),
        ("{", "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ("1" * 5_000, "is not valid JSON"),
        ('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}', "names 'a' twice"),
        ('{"servers": [{"name": "a", "command": "x"}, {"name": "a", "command": "y"}]}', "twice"),
        ('{"servers": [{"command": "x"}]}', "server number 1 has no 'name'"),
        ('{"servers": [7]}', "server number 1 is not an object"),
        ('{"servers": {"a": "npx"}}', "the server 'a' is not an object"),
        ('{"mcpServers": []}', "'mcpServers' must be an object"),
        ('{"servers": "x"}', "'servers' must be an object"),
        ('{"servers": [], "mcpServers": {}}', "both 'servers' and 'mcpServers'"),
        ('{"mcpservers": {}}', "holds 'mcpservers' but neither"),
        ('{"servers": [' + "{}," * 100 + "{}]}", "server number 1 has no 'name'"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name(content: str, says: str, tmp_path: Path):
    path = tmp_path / "mcp.json"
    path.write_text(content)
    with pytest.raises((ConfigurationError, ValidationError)) as caught:
        MCPConfig.from_file(path)
    assert str(caught.value).startswith(str(path))
    assert says in str(caught.value)


def test_more_servers_than_fit_are_refused():
    entries = {f"s{number}": {"command": "a"} for number in range(201)}
    with pytest.raises(ValidationError, match="holds 201 servers; at most 200 fit"):
        config_from({"mcpServers": entries}, "f")


def test_a_file_that_is_too_large_not_text_or_not_a_file_is_refused(tmp_path: Path):
    path = tmp_path / "mcp.json"
    path.write_bytes(b" " * (MCP_FILE_BYTES_MAX + 1))
    with pytest.raises(ConfigurationError, match="larger than"):
        MCPConfig.from_file(path)
    path.write_bytes(b'{"servers": "\xff"}')
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        MCPConfig.from_file(path)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        MCPConfig.from_file(tmp_path / ("long" * 100))
    os.mkfifo(tmp_path / "pipe")
    for odd in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(ConfigurationError, match="not a file"):
            MCPConfig.from_file(odd)


@given(
    data=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["servers", "mcpServers", "name", "command", "url", "env", "args", "oauth", "a"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
def test_whatever_a_file_holds_it_is_read_or_refused_in_a_sentence(data: object):
    with suppress(DataAgentError):  # any other error fails the test
        assert as_list(config_from(data, "f")).keys() == {"servers"}


def test_an_error_never_names_the_value_of_a_secret():
    secret = "s3cr3t" * 3
    for fields in (
        {"command": "a", "env": {"A": [secret]}},
        {"command": "a", "env": {"A": secret + "\x00"}},
        {"url": "https://a.org", "headers": {"A": secret + "\n"}},
        {"url": f"ftp://u:{secret}@a.org"},
        {"url": "https://a.org", "oauth": {"client_secret": [secret]}},
    ):
        with pytest.raises(ValidationError) as caught:
            server(**fields)
        assert secret not in str(caught.value)
