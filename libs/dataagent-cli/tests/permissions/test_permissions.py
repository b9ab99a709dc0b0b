"""`dataagent permissions`: rules can be seen, changed and explained; nothing is run."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dataagent_core.sandbox.host_guard.held_changes import HeldChangeStore

Command = Callable[..., tuple[int, str, str]]


def explained(command: Command, *arguments: str) -> dict[str, object]:
    code, out, _ = command("permissions", "explain", *arguments, "--json")
    assert code == 0
    return json.loads(out)


def test_explain_names_every_command_and_the_rule_that_matched(command: Command):
    assert command("permissions", "add", "deny", "shell", "rm *")[0] == 0
    told = explained(command, "ls && sudo rm -rf /")
    assert told["decision"] == "deny"
    assert told["rule"] == {
        "source": "person",
        "action": "deny",
        "tool": "shell",
        "resource": "rm *",
    }
    parts = {part["command"]: part["decision"] for part in told["commands"]}  # type: ignore[union-attr]
    assert parts == {"ls": "allow", "sudo rm -rf /": "ask", "rm -rf /": "deny"}


@pytest.mark.requirement("F3-explain")
@pytest.mark.parametrize(
    ("line", "decision"), [("git status", "allow"), ("npm run build", "ask"), ("unheard of", "ask")]
)
def test_explain_decides_and_ends_with_0(command: Command, line: str, decision: str):
    assert explained(command, line)["decision"] == decision
    code, out, _ = command("permissions", "explain", line)
    assert (code, line.split(maxsplit=1)[0] in out) == (0, True)


def test_explain_says_what_always_would_save(command: Command):
    told = explained(command, "npm run build --if-present")
    assert [rule["resource"] for rule in told["always"]] == ["npm run build --if-present <args>"]  # type: ignore[union-attr]
    assert (
        "always would allow: shell npm run build <args>"
        in command("permissions", "explain", "npm run build")[1]
    )
    assert "asked about every time" in command("permissions", "explain", "$x")[1]


def test_explain_knows_other_tools(command: Command):
    command("permissions", "add", "deny", "write", "/src/**")
    assert explained(command, "src/a.py", "--tool", "edit_file")["decision"] == "deny"
    assert explained(command, "/src/a.py", "--tool", "read_file")["decision"] == "allow"
    assert explained(command, "https://example.org/x", "--tool", "fetch_url")["decision"] == "ask"


def test_hidden_characters_are_spelled_out(command: Command):
    _, out, _ = command("permissions", "explain", "ls \u202e\x1b[2J")
    assert ("\x1b" in out, "\\u202e" in out) == (False, True)


@pytest.mark.requirement("F3-explain")
def test_a_rule_can_be_added_listed_and_removed(command: Command, tmp_path: Path):
    command("permissions", "add", "allow", "shell", "npm test *")
    code, out, _ = command("permissions", "list")
    assert (code, "npm test *" in out) == (0, True)
    listed = json.loads(command("permissions", "list", "--json")[1])
    assert listed["rules"] == [
        {
            "number": 1,
            "source": "person",
            "action": "allow",
            "tool": "shell",
            "resource": "npm test *",
        }
    ]
    assert (tmp_path / "home" / "permissions.toml").is_file()
    assert "already" in command("permissions", "add", "allow", "shell", "npm test *")[2]
    assert command("permissions", "remove", "1")[0] == 0
    assert "no rules of your own" in command("permissions", "list")[2]


def test_a_folder_loosens_only_once_it_is_trusted(command: Command, workspace: Path):
    command("permissions", "add", "allow", "shell", "npm test *", "--project")
    assert explained(command, "npm test")["decision"] == "ask"
    assert "permissions trust" in command("permissions", "list")[2]

    assert command("permissions", "trust")[0] == 0
    assert explained(command, "npm test")["decision"] == "allow"
    command("permissions", "add", "allow", "shell", "npm start", "--project")
    assert explained(command, "npm start")["decision"] == "allow"

    rules = workspace / ".dataagent" / "permissions.toml"
    rules.write_text(rules.read_text() + '\n[[rules]]\naction = "allow"\ntool = "*"\n')
    assert explained(command, "npm test")["decision"] == "ask"

    command("permissions", "trust")
    command("permissions", "trust", "--no")
    assert explained(command, "npm test")["decision"] == "ask"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("add", "maybe", "shell"), 2, "maybe"),
        (("add", "deny", " "), 2, "tool is"),
        (("remove", "7"), 1, "has no rule 7"),
        (("list", "--workspace", "nowhere"), 2, "nowhere"),
    ],
)
def test_wrong_use_is_told(command: Command, arguments: tuple[str, ...], code: int, words: str):
    ended, _, err = command("permissions", *arguments)
    assert (ended, words in err) == (code, True), err


def test_a_broken_file_is_told_with_its_place(command: Command, tmp_path: Path):
    file = tmp_path / "home" / "permissions.toml"
    file.parent.mkdir()
    file.write_text('[[rules]]\naction = "deny"\ntool = "shell"\nresorce = "x"\n')
    code, out, err = command("permissions", "list", "--json")
    assert code == 2
    assert "rule 1 sets 'resorce'" in err
    assert json.loads(out)["event_type"] == "error"


def test_the_operators_rules_are_listed_and_explained_with_their_source(
    command: Command, tmp_path: Path
):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text(
        '[[permissions.rules]]\naction = "deny"\ntool = "shell"\nresource = "git push *"\n'
    )
    command("permissions", "add", "allow", "shell", "git *")
    listed = json.loads(command("permissions", "list", "--json")[1])["rules"]
    assert [(rule["source"], rule["number"]) for rule in listed] == [
        ("operator", None),
        ("person", 1),
    ]
    assert "operator" in command("permissions", "list")[1]
    told = explained(command, "git push")
    assert told["decision"] == "deny"
    assert told["rule"]["source"] == "operator"  # type: ignore[index]
    assert explained(command, "git fetch")["decision"] == "allow"
    assert "git push *" in command("config", "show")[1]


def test_explain_reads_paths_as_commands_in_the_folder_do(command: Command, workspace: Path):
    command("permissions", "add", "deny", "read", "/secrets/**")
    assert explained(command, f"cat {workspace.resolve()}/secrets/x")["decision"] == "deny"
    assert explained(command, f"cat ../{workspace.name}/secrets/x")["decision"] == "deny"
    full = f"{workspace.resolve()}/secrets/x"
    assert explained(command, full, "--tool", "read_file")["decision"] == "deny"


def test_registries_of_a_folder_are_set_shown_and_withdrawn(command: Command):
    assert "reach no host" in command("permissions", "registries")[2]
    assert "reach pypi.org" in command("permissions", "registries", "pypi.org")[2]
    code, out, _ = command("permissions", "registries", "--json")
    assert (code, json.loads(out)["registries"]) == (0, ["pypi.org"])
    assert command("permissions", "registries", "https://pypi.org")[0] != 0
    assert "reach no host" in command("permissions", "registries", "--none")[2]


def test_a_projects_env_counts_only_once_it_is_trusted(
    command: Command, workspace: Path, environment: dict[str, str]
):
    (workspace / ".env").write_text("DATAAGENT_DATABASE_URL=sqlite:////theirs/x.db\n")
    code, out, told = command("config", "show")
    assert (code, "theirs" in out) == (0, False)
    assert "not taken from the .env" in told
    assert "DATAAGENT_DATABASE_URL → /theirs/x.db" in told
    assert "DATAAGENT_DATABASE_URL → /theirs/x.db" in command("permissions", "trust")[2]
    assert "sqlite:////theirs/x.db" in command("config", "show")[1]
    command("permissions", "trust", "--no")
    assert "theirs" not in command("config", "show")[1]


def test_what_was_held_back_is_shown_and_taken_over(
    command: Command, workspace: Path, environment: dict[str, str]
):
    held = HeldChangeStore(Path(environment["DATAAGENT_HOME"]), workspace)
    number = held.keep("/.envrc", b"echo \x1b[2J", link=False, mode=0o644)
    other = held.keep("/.npmrc", b"x", link=False, mode=0o644)
    shown = command("permissions", "held")[1]
    assert f"{number}  /.envrc" in shown
    assert "\x1b" not in shown
    assert "/.envrc is in its place" in command("permissions", "held", "--take", number)[2]
    assert (workspace / ".envrc").read_bytes() == b"echo \x1b[2J"
    assert json.loads(command("permissions", "held", "--drop", other, "--json")[1]) == []
    assert command("permissions", "held", "--take", other)[0] != 0
    assert not (workspace / ".npmrc").exists()
