"""Files of rules: whole, broken and hostile; and how the command line changes them."""

from pathlib import Path

import pytest

from dataagent_core.config import Settings
from dataagent_core.config.limits import (
    PERMISSION_FILE_BYTES_MAX,
    PERMISSION_PATTERN_CHARS_MAX,
    PERMISSION_RULES_MAX,
)
from dataagent_core.errors import ConfigurationError, NotFoundError
from dataagent_core.permissions.rule_files.load import load_rules
from dataagent_core.permissions.rule_files.rule_file import (
    add_rules,
    parse_rules,
    read_rule_file,
    remove_rule,
)
from dataagent_core.permissions.rule_files.trust import (
    distrust,
    is_trusted,
    refuse,
    trust,
    was_asked,
)
from dataagent_core.permissions.rules import Rule

GOOD = """\
# my rules
[[rules]]
action = "deny"   # never
tool = "shell"
resource = "git push *"

[[rules]]
action = "allow"
tool = "mcp__docs__*"
"""


def allow(resource: str) -> Rule:
    return Rule("shell", resource, "allow", "person")


def test_a_file_is_read_in_order():
    assert parse_rules(GOOD, "f", "person") == (
        Rule("shell", "git push *", "deny", "person"),
        Rule("mcp__docs__*", "**", "allow", "person"),
    )


def test_a_missing_file_holds_no_rules(tmp_path: Path):
    assert read_rule_file(tmp_path / "none.toml", "person") == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules = 7", "must be \\[\\[rules\\]\\] tables"),
        ("rules = [7]", "rule 1 is 7"),
        ("rule = []", "sets 'rule'"),
        ("[[rules]]\ntool = 'x'", "action is None; use allow, ask or deny"),
        ("[[rules]]\naction = 'Deny'\ntool = 'x'", "action is 'Deny'"),
        ("[[rules]]\naction = 'deny'", "tool is None"),
        ("[[rules]]\naction = 'deny'\ntool = ''", "tool is ''"),
        ("[[rules]]\naction = 'deny'\ntool = 'x'\nresource = 5", "resource is 5"),
        ("[[rules]]\naction = 'deny'\ntool = 'x'\nresource = 'a\\'", "a backslash"),
        ("[[rules]]\naction = 'deny'\ntool = 'x'\nwhy = 'y'", "rule 1 sets 'why'"),
        ("[[rules]]\naction = = 'deny'", "line 2"),
        ("x = " + "[" * 50_000, "f"),
        (
            f"[[rules]]\naction = 'ask'\ntool = '{'x' * (PERMISSION_PATTERN_CHARS_MAX + 1)}'",
            "longer than 1,000 characters",
        ),
        ("[[rules]]\n" * (PERMISSION_RULES_MAX + 1), "at most 1,000"),
    ],
)
def test_a_wrong_file_names_itself_the_key_and_the_way_out(text: str, words: str):
    with pytest.raises(ConfigurationError, match=f"^f.*{words}"):
        parse_rules(text, "f", "person")


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"\n\xff", "line 2 holds the byte 0xff"), (b"#" * (PERMISSION_FILE_BYTES_MAX + 1), "larger")],
)
def test_an_unreadable_file_names_itself(tmp_path: Path, data: bytes, words: str):
    path = tmp_path / "permissions.toml"
    path.write_bytes(data)
    with pytest.raises(ConfigurationError, match=f"permissions.toml.*{words}"):
        read_rule_file(path, "person")


def test_a_directory_in_its_place_is_an_error(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_rule_file(tmp_path, "person")


def test_adding_keeps_what_the_person_wrote(tmp_path: Path):
    path = tmp_path / "new" / "permissions.toml"
    assert add_rules(path, [allow("a *")]) == [allow("a *")]
    path.write_text(GOOD)
    odd = allow('echo "x" \\* é')
    assert add_rules(path, [odd, odd]) != []
    assert path.read_text().startswith(GOOD)
    assert read_rule_file(path, "person")[2] == odd
    assert add_rules(path, [odd]) == []
    assert [entry.name for entry in path.parent.iterdir()] == ["permissions.toml"]


def test_removing_takes_out_one_rule_and_nothing_else(tmp_path: Path):
    path = tmp_path / "permissions.toml"
    path.write_text(GOOD)
    assert remove_rule(path, 1).resource == "git push *"
    assert path.read_text().startswith("# my rules\n")
    assert [r.tool for r in read_rule_file(path, "person")] == ["mcp__docs__*"]
    with pytest.raises(NotFoundError, match="has no rule 2"):
        remove_rule(path, 2)


def test_a_file_written_another_way_is_left_to_the_person(tmp_path: Path):
    path = tmp_path / "permissions.toml"
    text = 'rules = [{action = "ask", tool = "x"}]\n'
    path.write_text(text)
    with pytest.raises(ConfigurationError, match="by hand"):
        remove_rule(path, 1)
    with pytest.raises(ConfigurationError):
        add_rules(path, [allow("x")])
    assert path.read_text() == text


def test_trust_is_for_the_rules_as_they_are(tmp_path: Path):
    home, folder = tmp_path / "home", tmp_path / "folder"
    rules = folder / ".dataagent" / "permissions.toml"
    add_rules(rules, [allow("make *")])
    assert not load_rules(Settings(home=home), folder).project_trusted
    trust(home, folder)
    assert load_rules(Settings(home=home), folder).project_trusted
    assert not is_trusted(home, tmp_path)
    add_rules(rules, [allow("rm *")])
    assert not load_rules(Settings(home=home), folder).project_trusted


def test_a_damaged_list_of_folders_is_an_error(tmp_path: Path):
    (tmp_path / "trusted_folders.toml").write_text("= =")
    with pytest.raises(ConfigurationError, match=r"trusted_folders\.toml is not valid TOML"):
        is_trusted(tmp_path, tmp_path)


def test_a_folder_is_asked_about_once_whatever_the_answer_was(tmp_path: Path):
    folder = tmp_path / "project"
    folder.mkdir()
    assert not was_asked(tmp_path, folder)
    refuse(tmp_path, folder)
    assert was_asked(tmp_path, folder)
    assert not is_trusted(tmp_path, folder)
    trust(tmp_path, folder)
    assert is_trusted(tmp_path, folder)
    # Who takes the trust back wants to be asked again.
    distrust(tmp_path, folder)
    assert not was_asked(tmp_path, folder)
