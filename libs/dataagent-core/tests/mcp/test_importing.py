"""Servers of Claude, opencode and VS Code are taken over; what is not is said."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits.mcp import MCP_IMPORT_FILE_BYTES_MAX
from dataagent_core.errors import ConfigurationError, NotFoundError, ValidationError
from dataagent_core.mcp import MCPServerConfig
from dataagent_core.mcp.config import OAuthSettings
from dataagent_core.mcp.import_from import PRODUCTS, import_from_text, places_of, read_foreign
from dataagent_core.mcp.import_from.import_servers import without_comments

PROJECT = Path("/home/ann/shop")


def test_claude_desktops_file_is_taken_over():
    content = {
        "globalShortcut": "x",
        "mcpServers": {"fs": {"command": "npx", "args": ["-y", "fs"], "env": {"A": "b"}}},
    }
    taken = import_from_text(content, "f")
    assert (taken.form, taken.notes) == ("Claude", ())
    assert taken.config.servers == [
        MCPServerConfig(name="fs", command="npx", args=["-y", "fs"], env={"A": "b"})
    ]


def test_claude_codes_file_gives_the_servers_for_all_projects_and_of_this_one():
    content = {
        "numStartups": 12,
        "mcpServers": {"all": {"command": "a"}, "both": {"command": "a"}},
        "projects": {
            str(PROJECT): {
                "mcpServers": {
                    "mine": {"type": "http", "url": "https://a.org"},
                    "both": {"command": "b"},
                }
            },
            "/else": {"mcpServers": {"x": {"command": "a"}, "y": {"command": "a"}}},
            "/odd": 7,
        },
    }
    taken = import_from_text(content, "f", PROJECT)
    assert {server.name: server.command for server in taken.config.servers} == {
        "all": "a",
        "both": "b",
        "mine": "",
    }
    assert taken.notes == ("2 servers belong to other projects: run the import in their folders.",)
    assert "4 servers" in import_from_text(content, "f").notes[0]


def test_opencodes_file_is_taken_over_with_its_variables_and_milliseconds():
    content = {
        "$schema": "https://opencode.ai/config.json",
        "mcp": {
            "local": {
                "type": "local",
                "command": ["bun", "x", "srv"],
                "environment": {"KEY": "{env:MY_KEY}", "PASS": "{file:~/.pass}"},
                "enabled": False,
                "timeout": 5000,
            },
            "remote": {
                "type": "remote",
                "url": "https://a.org/mcp",
                "headers": {"Authorization": "Bearer {env:MY_KEY}"},
                "oauth": {"clientId": "c", "clientSecret": "{env:S}", "scope": "a b"},
            },
            "open": {"type": "remote", "url": "https://b.org", "oauth": False},
            "switch": {"enabled": True},
        },
    }
    taken = import_from_text(content, "f")
    local, remote, without = taken.config.servers
    assert local == MCPServerConfig(
        name="local",
        command="bun",
        args=["x", "srv"],
        env={"KEY": "${MY_KEY}", "PASS": "{file:~/.pass}"},
        disabled=True,
        timeout=5,
    )
    assert remote.headers == {"Authorization": "Bearer ${MY_KEY}"}
    assert remote.oauth == OAuthSettings(client_id="c", client_secret="${S}", scopes=("a", "b"))
    assert (remote.transport, without.oauth) == ("http", None)
    assert any("'switch' is neither" in note for note in taken.notes)
    assert any("'local' reads a file" in note for note in taken.notes)


def test_vs_codes_file_is_taken_over_and_what_it_would_ask_for_becomes_a_variable(tmp_path: Path):
    path = tmp_path / "mcp.json"
    path.write_text(
        """{
        // what VS Code asks for
        "inputs": [{"type": "promptString", "id": "api-key", "password": true},],
        "servers": {
            "one": {
                "type": "stdio", "command": "npx",
                "args": ["-y", "srv", "${workspaceFolder}", "http://x//y", /* , } */ "${userHome}"],
                "env": {"KEY": "${input:api-key}", "PATH2": "${env:PATH}"},
                "envFile": "${workspaceFolder}/.env", "cwd": "/x",
            },
            "two": {"type": "http", "url": "https://a.org/mcp", "headers": {"X": "${input:9}"}},
        },
        }"""
    )
    taken = read_foreign(path, PROJECT)
    one, two = taken.config.servers
    assert taken.form == "VS Code"
    assert one.args == ["-y", "srv", str(PROJECT), "http://x//y", "${HOME}"]
    assert one.env == {"KEY": "${API_KEY}", "PATH2": "${PATH}"}
    assert two.headers == {"X": "${INPUT_9}"}
    assert taken.notes == (
        "'one' needs a value: set the variable API_KEY before it is started.",
        "'one': its 'cwd' was not taken over.",
        "'one': its 'envFile' was not taken over.",
        "'two' needs a value: set the variable INPUT_9 before it is started.",
    )


def test_vs_codes_settings_and_our_own_lists_are_known_too():
    inner = {"servers": {"a": {"command": "x"}}}
    assert import_from_text({"editor.fontSize": 1, "mcp": inner}, "f").form == "VS Code"
    ours = import_from_text({"servers": [{"name": "a", "command": "x"}]}, "f")
    assert (ours.form, ours.config.servers) == (
        "DataAgent",
        [MCPServerConfig(name="a", command="x")],
    )


def test_one_bad_server_is_left_out_and_said_and_names_are_made_ours():
    content = {
        "mcpServers": {
            "My Server!": {"command": "a"},
            "a__b": {"command": "a"},
            "a_b": {"command": "a"},
            "bad": {"command": ["x"]},
            "both": {"command": "x", "url": "https://a.org"},
            "!!": {"command": "a"},
            "slow": {"command": "a", "timeout": 60000},
        }
    }
    taken = import_from_text(content, "f")
    assert [server.name for server in taken.config.servers] == ["My-Server", "a_b", "slow"]
    said = "\n".join(taken.notes)
    assert "'My Server!' is called 'My-Server' here" in said
    assert "'a_b' would be a second server 'a_b'" in said
    assert "left out: f: the server 'bad' has a list as 'command'" in said
    assert "'both' has both" in said
    assert "'!!' cannot be the name" in said
    assert "'slow': its timeout was not taken over" in said


@pytest.mark.parametrize(
    "content", [{}, [], 7, {"mcp": {}}, {"servers": "x"}, {"a": {"command": "x"}}]
)
def test_a_file_without_servers_is_refused(content: Any):
    with pytest.raises(ValidationError, match="holds no MCP servers of a known form"):
        import_from_text(content, "f")


def test_a_file_that_is_not_there_or_too_large_or_no_json_is_refused(tmp_path: Path):
    path = tmp_path / "x.json"
    with pytest.raises(NotFoundError, match="no file"):
        read_foreign(path)
    path.write_bytes(b" " * (MCP_IMPORT_FILE_BYTES_MAX + 1))
    with pytest.raises(ConfigurationError, match="larger"):
        read_foreign(path)
    path.write_text('{"mcpServers": {,,}}')
    with pytest.raises(ConfigurationError, match="not valid JSON"):
        read_foreign(path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab"\\/*,]}\n '),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("a/*,"), inner, max_size=4),
)


@given(value=json_values, indent=st.sampled_from([None, 1]))
def test_json_without_comments_stays_what_it_is(value: Any, indent: int | None):
    assert json.loads(without_comments(json.dumps(value, indent=indent))) == value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("[1, 2, /* x */ // y\n]", [1, 2]),
        ('{"a": "//x", /**/ "b": "/*", }', {"a": "//x", "b": "/*"}),
        ("// only\n{}", {}),
        ("{}/* open", {}),
    ],
)
def test_comments_and_trailing_commas_are_taken_out(written: str, value: Any):
    assert json.loads(without_comments(written)) == value


@pytest.mark.parametrize("part", ["/*", '\\"', '"', ",", "//", ", /*"])
def test_a_hostile_file_is_read_in_time_that_grows_with_its_length(part: str):
    began = time.monotonic()
    without_comments(part * 300_000)
    assert time.monotonic() - began < 60  # quadratic would take many minutes


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_products_files_are_looked_for_in_the_project_and_at_home(
    product: Any, platform: str
):
    home = Path("/home/ann")
    found = places_of(product, home=home, project=PROJECT, platform=platform, environ={})
    assert found
    assert all(path.is_relative_to(home) for path in found)
    assert any(path.is_relative_to(PROJECT) for path in found) == (product != "claude-desktop")


def test_places_follow_the_environment_and_the_system():
    home = Path("/h")

    def first(product: Any, platform: str, **environ: str) -> str:
        places = places_of(product, home=home, project=PROJECT, platform=platform, environ=environ)
        return str(places[-1])

    name = "Claude/claude_desktop_config.json"
    assert first("claude-desktop", "linux") == f"/h/.config/{name}"
    assert first("claude-desktop", "linux", XDG_CONFIG_HOME="/c") == f"/c/{name}"
    assert first("claude-desktop", "darwin") == f"/h/Library/Application Support/{name}"
    assert first("claude-desktop", "win32", APPDATA="/r") == f"/r/{name}"
    assert first("claude-code", "linux") == "/h/.claude.json"
    assert first("claude-code", "linux", CLAUDE_CONFIG_DIR="/k") == "/k/.claude.json"
    assert first("vscode", "darwin") == "/h/Library/Application Support/Code/User/mcp.json"
    assert first("opencode", "darwin") == "/h/.config/opencode/opencode.jsonc"
