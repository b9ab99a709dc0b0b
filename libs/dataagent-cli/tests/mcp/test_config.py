"""`dataagent mcp`: add, change, list and import servers. Nothing is started here."""

import io
import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_configs import as_common, as_list, as_map, configs

from dataagent_cli.mcp.config.gather import gather
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.wiring import App, local_user
from dataagent_core.config import Settings
from dataagent_core.mcp import MCPConfig, MCPServerConfig
from dataagent_core.mcp.config import OAuthSettings
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy
from dataagent_core.mcp.transports.program.server_homes import home_of

Command = Callable[..., tuple[int, str, str]]
DATAAGENT = Path(sys.executable).with_name("dataagent")
SECRET = "s3cr3t-value"


@pytest.fixture
def own(environment: dict[str, str], tmp_path: Path) -> Path:
    environment["HOME"] = str(tmp_path / "person")
    return Path(environment["DATAAGENT_HOME"]) / "agents" / "default" / "mcp.json"


def only(path: Path) -> MCPServerConfig:
    (server,) = MCPConfig.from_file(path).servers
    return server


@pytest.mark.requirement("F6-7")
@pytest.mark.parametrize(
    ("words", "server"),
    [
        (["fs", "--", "sh", "-c", "--env"], {"command": "sh", "args": ["-c", "--env"]}),
        (["fs", "--command", "sh", "-y", "x"], {"command": "sh", "args": ["-y", "x"]}),
        (["fs", "--command", "sh", "--", "--json"], {"command": "sh", "args": ["--json"]}),
        (["fs", "sh", "a"], {"command": "sh", "args": ["a"]}),
        (
            ["fs", "--env", "A=b=c", "--env", "TOKEN", "--", "sh"],
            {"command": "sh", "env": {"A": "b=c", "TOKEN": "${TOKEN}"}},
        ),
        (
            ["fs", "--network", "none", "--timeout", "5", "--disabled", "--", "sh"],
            {"command": "sh", "network": "none", "timeout": 5, "disabled": True},
        ),
        (
            ["fs", "--host", "a.org", "--host", "*.b.org", "--", "sh"],
            {"command": "sh", "network": "hosts", "hosts": ["a.org", "*.b.org"]},
        ),
        (["fs", "--read", "/usr", "--", "sh"], {"command": "sh", "read_paths": ["/usr"]}),
        (["fs", "--url", "https://a.org"], {"url": "https://a.org", "transport": "http"}),
        (["fs", "--url", "wss://a.org"], {"url": "wss://a.org", "transport": "ws"}),
        (
            ["fs", "--url", "https://a.org", "--transport", "sse", "--header", "X-A: b=c"],
            {"url": "https://a.org", "transport": "sse", "headers": {"X-A": "b=c"}},
        ),
        (
            [
                *("fs", "--url", "https://a.org", "--header", "X-A=b:c", "--client-id", "i"),
                *("--client-secret", "${S}", "--scope", "r", "--scope", "w"),
            ],
            {
                "url": "https://a.org",
                "transport": "http",
                "headers": {"X-A": "b:c"},
                "oauth": OAuthSettings(client_id="i", client_secret="${S}", scopes=("r", "w")),
            },
        ),
    ],
)
def test_a_server_is_added_as_it_was_typed(
    command: Command, own: Path, words: list[str], server: dict[str, Any]
):
    code, _, told = command("mcp", "add", *words)
    assert code == 0, told
    assert only(own) == MCPServerConfig(name="fs", **server)
    assert stat.S_IMODE(own.stat().st_mode) == 0o600
    assert "mcp test fs" in told


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["fs"], "say what 'fs' is"),
        (["fs", "--url", "https://a.org", "--", "sh"], "give no command with it"),
        (["fs", "--evn", "A=b", "--", "sh"], "no option '--evn'"),
        (["fs", "--url", "https://a.org", "--hedaer", "A=b"], "no option '--hedaer'"),
        (["a__b", "--", "sh"], "cannot be the name of a server"),
        (["../x", "--", "sh"], "cannot be the name of a server"),
        (["fs", "--url", "ftp://a.org"], "begins with 'ftp'"),
        (["fs", "--url", "https://a.org", "--transport", "ws"], "needs ws://"),
        (["fs", "--transport", "sse", "--", "sh"], "'command' but the transport 'sse'"),
        (["fs", "--env", "=x", "--", "sh"], "--env takes NAME=VALUE"),
        (["fs", "--url", "https://a.org", "--header", "nothing"], "--header takes NAME=VALUE"),
        (["fs", "--read", "/no/such/place", "--", "sh"], "/no/such/place does not exist"),
        (["fs", "--network", "hosts", "--", "sh"], "but no 'hosts'"),
        (["fs", "--timeout", "601", "--", "sh"], "601 is not in the range"),
    ],
)
def test_what_does_not_go_together_is_refused_and_nothing_written(
    command: Command, own: Path, words: list[str], says: str
):
    code, _, told = command("mcp", "add", *words)
    assert (code, own.exists()) == (2, False)
    assert says in told


def test_a_name_that_is_taken_is_only_replaced_on_purpose(command: Command, own: Path):
    command("mcp", "add", "fs", "--", "sh")
    code, _, told = command("mcp", "add", "fs", "--", "cat")
    assert code == 1
    assert "--replace" in told
    assert only(own).command == "sh"
    assert command("mcp", "add", "fs", "--replace", "--", "cat")[0] == 0
    assert only(own).command == "cat"


def test_commands_at_the_same_time_do_not_undo_each_other(
    command: Command, environment: dict[str, str], own: Path, workspace: Path
):
    command("mcp", "add", "first", "--", "sh")
    words = [DATAAGENT, "mcp", "add"]
    adding = [
        subprocess.Popen([*words, f"s{n}", "--", "sh"], env=environment, cwd=workspace)
        for n in range(4)
    ]
    assert [one.wait(60) for one in adding] == [0] * 4
    names = {server.name for server in MCPConfig.from_file(own).servers}
    assert names == {"first", "s0", "s1", "s2", "s3"}


def test_a_program_that_is_not_there_is_said_and_a_path_is_made_whole(
    command: Command, own: Path, workspace: Path
):
    _, _, told = command("mcp", "add", "no", "--", "no-such-program")
    assert "'no-such-program' is not a program" in told
    command("mcp", "remove", "no")
    command("mcp", "add", "here", "--", "./run.sh", "./arg")
    assert (only(own).command, only(own).args) == (str(workspace / "run.sh"), ["./arg"])


def test_secrets_are_never_printed_back(command: Command, own: Path):
    said = ""
    for words in (
        ["a", "--env", f"TOKEN={SECRET}", "--env", "OTHER", "--", "sh"],
        [
            *("b", "--url", f"https://u:{SECRET}@a.org/x?key={SECRET}", "--header", f"X={SECRET}"),
            *("--client-secret", SECRET, "--json"),
        ],
    ):
        said += "".join(map(str, command("mcp", "add", *words)))
    for words in (["list"], ["list", "--json"], ["add", "a", "--", "sh"], ["disable", "a"]):
        said += "".join(map(str, command("mcp", *words)))
    assert SECRET not in said
    a, b = json.loads(command("mcp", "list", "--json")[1])
    assert a["env"] == {"TOKEN": "***", "OTHER": "${OTHER}"}
    assert (b["url"], b["headers"]) == ("https://***@a.org/x?***", {"X": "***"})
    assert b["oauth"]["client_secret"] == "***"
    assert SECRET in own.read_text()


def test_servers_are_listed_with_where_they_come_from_and_the_persons_own_count_first(
    command: Command, own: Path, workspace: Path, tmp_path: Path
):
    old = tmp_path / "person" / ".deepagents" / "default" / "mcp.json"
    old.parent.mkdir(parents=True)
    old.write_text(
        '{"servers": [{"name": "a", "command": "old"}, {"name": "b", "command": "old"}]}'
    )
    project = workspace / ".mcp.json"
    project.write_text('{"mcpServers": {"b": {"command": "new"}, "c": {"command": "./run"}}}')
    command("mcp", "add", "a", "--", "sh")
    listed = json.loads(command("mcp", "list", "--json")[1])
    assert [(one["name"], one["command"], one["from"], one["state"]) for one in listed] == [
        ("a", "sh", "own", "enabled"),
        ("b", "old", "deepagents", "enabled"),
        ("c", str(workspace / "run"), "project", "asks"),
    ]
    assert [one["file"] for one in listed] == [str(own), str(old), str(project)]
    _, table, told = command("mcp", "list")
    assert "asks first" in table
    assert "mcp trust c" in told
    for name, says in (("b", "another program owns"), ("c", "belongs to the project")):
        code, _, told = command("mcp", "remove", name)
        assert code == 1
        assert says in told


@pytest.mark.requirement("S0-47")
@given(config=configs, form=st.sampled_from([as_list, as_map, as_common]))
def test_s0_property_47_the_command_line_loads_every_valid_file(
    own: Path,
    tmp_path: Path,
    config: MCPConfig,
    form: Callable[[MCPConfig], dict[str, Any]],
):
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(json.dumps(form(config)))
    settings = Settings.load({"DATAAGENT_HOME": str(own.parents[2])}, tmp_path)
    app = App(settings, Messages("en"), Output(io.StringIO(), io.StringIO(), {}))
    found = gather(app, tmp_path).servers
    assert [written.server for written in found if written.origin == "own"] == config.servers


def test_a_server_is_disabled_enabled_and_removed(command: Command, own: Path):
    command("mcp", "add", "a", "--", "sh")
    assert command("mcp", "disable", "a")[0] == 0
    assert only(own).disabled
    code, _, told = command("mcp", "test", "a")
    assert code == 1
    assert "mcp enable a" in told
    assert json.loads(command("mcp", "enable", "a", "--json")[1])["disabled"] is False
    assert not only(own).disabled
    place = ProgramPolicy(folder=own.parents[2] / "mcp" / "homes")
    home = home_of(Owner("local", local_user()), "a", place)
    assert command("mcp", "remove", "a")[0] == 0
    assert MCPConfig.from_file(own).servers == []
    assert not home.exists()
    assert "mcp add NAME" in command("mcp", "list")[2]


def test_a_name_that_is_not_there_is_answered_with_one_that_is(command: Command, own: Path):
    assert not own.exists()
    command("mcp", "add", "filesystem", "--", "sh")
    for words in (["remove"], ["enable"], ["test"], ["tools"], ["trust"], ["login"], ["logout"]):
        code, _, told = command("mcp", *words, "filesytem")
        assert code == 1
        assert "Did you mean 'filesystem'?" in told


def test_an_own_file_that_is_wrong_is_an_error_and_anothers_only_a_warning(
    command: Command, own: Path, workspace: Path
):
    (workspace / ".mcp.json").write_text("{oops")
    code, _, told = command("mcp", "list")
    assert code == 0
    assert "warning:" in told
    assert ".mcp.json is not valid JSON" in told
    own.parent.mkdir(parents=True)
    own.write_text('{"servers": [{"name": "a"}]}')
    code, _, told = command("mcp", "list")
    assert code == 2
    assert "'a' has neither" in told
    code, out, _ = command("mcp", "list", "--json")
    assert json.loads(out)["code"] == "VALIDATION_ERROR"


def test_servers_of_a_file_are_taken_over_once(command: Command, own: Path, tmp_path: Path):
    file = tmp_path / "claude_desktop_config.json"
    servers = {"fs": {"command": "sh"}, "My One": {"url": "https://a.org"}, "bad": {}}
    file.write_text(json.dumps({"mcpServers": servers}))
    code, _, told = command("mcp", "import", str(file))
    assert code == 0
    assert "added fs: sh" in told
    assert "'My One' is called 'My-One' here" in told
    assert "left out:" in told
    assert [server.name for server in MCPConfig.from_file(own).servers] == ["fs", "My-One"]
    assert "nothing new" in command("mcp", "import", str(file))[2]
    file.write_text(json.dumps({"mcpServers": {"fs": {"command": "cat"}}}))
    assert "--replace" in command("mcp", "import", str(file))[2]
    done = json.loads(command("mcp", "import", str(file), "--replace", "--json")[1])
    assert [one["command"] for one in done["added"]] == ["cat"]


@pytest.mark.parametrize(
    ("product", "place", "content"),
    [
        ("claude-desktop", ".config/Claude/claude_desktop_config.json", {"mcpServers": {"x": {}}}),
        ("claude-code", ".claude.json", {"mcpServers": {"x": {}}}),
        ("opencode", ".config/opencode/opencode.json", {"mcp": {"x": {"type": "local"}}}),
        ("vscode", ".config/Code/User/mcp.json", {"servers": {"x": {}}}),
    ],
)
def test_a_products_files_are_found_where_it_keeps_them(
    command: Command, own: Path, product: str, place: str, content: dict[str, Any]
):
    code, _, told = command("mcp", "import", "--from", product)
    assert code == 1
    assert place in told
    entry = next(iter(next(iter(content.values())).values()))
    entry["command"] = ["sh"] if product == "opencode" else "sh"
    file = Path.home() / place
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(content))
    assert command("mcp", "import", "--from", product)[0] == 0
    assert only(own) == MCPServerConfig(name="x", command="sh")
    code, _, told = command("mcp", "import")
    assert code == 2
    assert str(file) in told


def test_the_sentences_come_in_chinese(command: Command, environment: dict[str, str], own: Path):
    environment["DATAAGENT_LANGUAGE"] = "zh"
    assert "已添加 a:sh" in command("mcp", "add", "a", "--", "sh")[2]
    assert "服务器" in command("mcp", "list")[1]
    assert own.exists()
