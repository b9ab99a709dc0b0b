"""No line that hides a command, a write or a read is allowed by default, class by class."""

import pytest
from judging import decide, person, shell
from smuggled_lines import CLASSES, all_smuggled
from smuggled_tools import CANARY

from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.mode import explain_plan_refusal, runs_in_auto
from dataagent_core.permissions.request import PermissionRequest

DENIED = person(f"deny shell {CANARY} **")


@pytest.mark.parametrize("name", CLASSES)
def test_no_line_of_a_class_is_allowed_by_default(name: str):
    allowed = [line for line in CLASSES[name]() if decide(line) == "allow"]
    assert allowed == []


@pytest.mark.parametrize("name", CLASSES)
def test_no_line_of_a_class_is_allowed_beside_a_rule_that_denies_what_it_hides(name: str):
    assert [line for line in CLASSES[name]() if decide(line, DENIED) == "allow"] == []


@pytest.mark.parametrize("name", CLASSES)
def test_plan_mode_refuses_every_line_of_a_class(name: str):
    requests = [PermissionRequest(tool="shell", args={"command": line}) for line in CLASSES[name]()]
    assert all(explain_plan_refusal(request, "irreversible") for request in requests)


@pytest.mark.parametrize("name", CLASSES)
def test_auto_mode_runs_no_line_that_hides_what_a_rule_denies(name: str):
    hiding = [shell(line) for line in CLASSES[name]() if CANARY in line]
    found = [(request, evaluate(request, DENIED)) for request in hiding]
    asked = [(one, verdict) for one, verdict in found if verdict.action == "ask"]
    assert [one.args for one, verdict in asked if runs_in_auto(one, verdict, DENIED)] == []


def test_the_classes_hold_some_hundred_lines():
    assert len(all_smuggled()) >= 600
