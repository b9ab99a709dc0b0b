"""The judge reads a command's paths as the command does, and rules stay `/a.txt`."""

import pytest
from judging import person

from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.policy import make_answer_rules
from dataagent_core.permissions.request import PermissionRequest, make_request
from dataagent_core.permissions.rules import Action, RuleSet
from dataagent_core.sandbox.paths.workspace_location import WorkspaceLocation

PLACE = WorkspaceLocation("/home/u/p")


def judged(command: str, rules: RuleSet) -> Action:
    request = PermissionRequest(tool="shell", args={"command": command}, place=PLACE)
    return evaluate(request, rules).action


@pytest.mark.parametrize(
    "command",
    [
        "cat /home/u/p/secrets/x",
        "cat //home/u//p/./src/../secrets/x",
        "cat ../p/secrets/x",
        "cat secrets/x",
        "cat < /home/u/p/secrets/x",
        "cat < ../p/secrets/x",
        "head --lines=1 /home/u/p/secrets/x",
        "grep --file=/home/u/p/secrets/x a.txt",
        "(cat /home/u/p/secrets/x)",
        "bash -c 'cat /home/u/p/secrets/x'",
    ],
)
def test_a_path_at_the_workspaces_place_is_judged_as_the_workspaces(command: str):
    assert judged(command, person("deny read /secrets/**")) == "deny"
    assert judged(command, person("deny read /other/**")) == "allow"


def test_what_is_not_in_the_workspace_is_not_taken_for_it():
    rules = person("deny read /secrets/**")
    assert judged("cat /home/u/p2/secrets/x", rules) == "allow"
    assert judged("cat ../secrets/x", rules) == "allow"


def test_a_rule_that_lets_write_names_files_of_the_workspace_only():
    rules = person("allow write /out/**")
    assert judged("echo x > out/y", rules) == "allow"
    assert judged("echo x > /home/u/p/out/y", rules) == "allow"
    assert judged("echo x > /out/y", rules) == "ask"
    assert judged("echo x > ../out/y", rules) == "ask"
    assert judged("echo x > /tmp/out/y", person("allow write /tmp/**")) == "allow"


def test_a_folder_named_like_the_systems_is_the_workspaces_own():
    rules = person("allow write /dev/**")
    assert judged("echo x > dev/log", rules) == "allow"
    assert judged("echo x > /dev/log", rules) == "ask"
    assert judged("echo x > /dev/null", person()) == "allow"
    assert judged("echo x > dev/null", person()) == "ask"


def test_an_always_saves_the_path_from_the_workspaces_root():
    command = "echo x > /home/u/p/out/y"
    request = PermissionRequest(tool="shell", args={"command": command}, place=PLACE)
    assert [rule.resource for rule in make_answer_rules(request, person())] == ["/out/y"]
    outside = PermissionRequest(tool="shell", args={"command": "echo x > /y"}, place=PLACE)
    assert make_answer_rules(outside, person()) == []


def test_a_question_about_a_file_takes_its_full_path():
    rules = person("deny read /secrets/**")
    about = make_request("read_file", "/home/u/p/secrets/x", PLACE)
    assert evaluate(about, rules).action == "deny"
