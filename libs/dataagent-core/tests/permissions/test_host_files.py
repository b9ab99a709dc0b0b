"""A tool writes a file that programs of the host obey only after a person was asked."""

import pytest

from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.mode import runs_in_auto
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rules import Rule, RuleSet
from dataagent_core.sandbox.host_guard.host_files import HOST_FILES, HostFile, find_host_file

ALLOWED = RuleSet(
    person=(Rule("write", "**", "allow", "person"), Rule("shell", "**", "allow", "person"))
)


def example(entry: HostFile) -> str:
    name = entry.pattern.replace("*", "local")
    return f"/sub/{name}x.json" if name.endswith("/") else f"/sub/{name}"


def writing(path: str, tool: str = "write_file") -> PermissionRequest:
    return PermissionRequest(tool=tool, args={"file_path": path})


def test_no_wildcard_and_no_mode_lets_one_be_written():
    assert [entry.pattern for entry in HOST_FILES if not is_held_back(entry)] == []


def is_held_back(entry: HostFile) -> bool:
    request = writing(example(entry))
    verdict = evaluate(request, ALLOWED)
    return (
        verdict.action == "ask"
        and entry.who in verdict.reason
        and not runs_in_auto(request, verdict, ALLOWED)
        and evaluate(writing(example(entry).upper(), "edit_file"), ALLOWED).action == "ask"
    )


@pytest.mark.parametrize(
    "path", ["/conftest.py", "/package.json", "/Makefile", "/.env.example", "/env", "/a.env"]
)
def test_code_and_examples_are_not_held(path: str):
    assert evaluate(writing(path), ALLOWED).action == "allow"
    assert find_host_file(tuple(path.strip("/").split("/"))) is None


def test_a_rule_that_names_the_file_counts_and_a_deny_stays():
    rules = RuleSet(person=(Rule("write", "/.env", "allow", "person"),))
    assert evaluate(writing("/.env"), rules).action == "allow"
    rules = RuleSet(person=(Rule("write", "**", "deny", "person"),))
    assert evaluate(writing("/.env"), rules).action == "deny"


def test_a_redirection_of_a_command_is_judged_the_same():
    request = PermissionRequest(tool="shell", args={"command": "echo A=1 > .env"})
    assert evaluate(request, ALLOWED).action == "ask"
