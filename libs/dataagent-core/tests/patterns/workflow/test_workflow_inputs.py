"""Inputs of a workflow have its types, and nothing that cannot be stored or written down."""

from typing import Any

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.patterns.workflow.fill_workflow import check_inputs
from dataagent_core.patterns.workflow.read_workflow import read_workflow
from dataagent_core.patterns.workflow.workflow import InputType, Workflow

FILE = """\
name: count
pattern: p
goal: count {{{{what}}}}
inputs:
  what:
    type: {type}
steps:
- tool: ls
  args:
    path: "{{{{what}}}}"
answer: counted
"""


def workflow_of(kind: InputType) -> Workflow:
    return read_workflow(FILE.format(type=kind))


@pytest.mark.parametrize(
    ("kind", "given", "read"),
    [
        ("text", "hens", "hens"),
        ("text", 12, "12"),
        ("integer", "-12", -12),
        ("integer", 10**200, 10**200),
        ("number", "1.5", 1.5),
        ("number", "12", 12),
        ("integer", 12.0, 12),
    ],
)
def test_an_input_gets_its_type(kind: InputType, given: Any, read: Any):
    assert check_inputs(workflow_of(kind), {"what": given}) == {"what": read}


def test_no_part_of_a_number_is_dropped():
    for given in (1.7, "1.7", float("inf"), float("nan")):
        with pytest.raises(ValidationError):
            check_inputs(workflow_of("integer"), {"what": given})


@pytest.mark.parametrize("kind", ["text", "integer", "number"])
def test_what_cannot_be_stored_or_written_down_is_refused(kind: InputType):
    for given in (None, "", True, [], "a\0b", "\ud800", "9" * 4_001, 10**5_000):
        with pytest.raises(ValidationError):
            check_inputs(workflow_of(kind), {"what": given})


def test_a_file_of_too_many_lines_is_refused():
    with pytest.raises(ValidationError, match="lines"):
        read_workflow(FILE.format(type="text") + "#\n" * 3_000)
