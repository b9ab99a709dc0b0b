"""Writes a workflow as a YAML file, and shows how it differs from the one before."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

import yaml

from dataagent_core.patterns.workflow.read_workflow import (
    FIXED,
    LIKE,
    MODEL,
    OBJECT,
    PLACE_KEYS,
)
from dataagent_core.patterns.workflow.workflow import (
    PLACE,
    Arg,
    Fixed,
    ModelPlace,
    TakenValue,
    TextTemplate,
    Workflow,
    WorkflowInput,
    WorkflowStep,
)

# PyYAML writes the line breaks of other scripts as they are, and reads them as spaces.
_LINE_BREAKS: Final = re.compile("[\x0b-\x0d\x1c-\x1e\x85\u2028\u2029]")


class _WorkflowDumper(yaml.SafeDumper):
    """Writes a text of several lines as one."""

    def represent_text(self, text: str) -> yaml.ScalarNode:
        style = '"' if _LINE_BREAKS.search(text) else "|" if "\n" in text else None
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_WorkflowDumper.add_representer(str, _WorkflowDumper.represent_text)


def write_workflow(workflow: Workflow) -> str:
    """Write a workflow as a file."""
    document = {
        "name": workflow.name,
        "pattern": workflow.pattern_id,
        "goal": workflow.goal.template,
        "inputs": {name: _write_input(one) for name, one in workflow.inputs.items()},
        "steps": [_write_step(step) for step in workflow.steps],
        "answer": _write_arg(workflow.answer),
        "measured": asdict(workflow.measured),
    }
    return yaml.dump(
        document, Dumper=_WorkflowDumper, allow_unicode=True, sort_keys=False, width=96
    )


def make_diff(before: str, after: str, name: str) -> str:
    """Return how a file differs from the one before, as a unified diff; empty if it does not."""
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), f"{name} (before)", f"{name} (new)", lineterm=""
    )
    return "\n".join(lines)


def _write_input(one: WorkflowInput) -> dict[str, Any]:
    shown = {"example": one.example} if one.example else {}
    return {"type": one.type, **shown, **({"private": True} if one.is_private else {})}


def _write_step(step: WorkflowStep) -> dict[str, Any]:
    expect = asdict(step.expect)
    shown = {name: value for name, value in expect.items() if value not in (None, (), "any")}
    if step.expect.fields:
        shown["fields"] = list(step.expect.fields)
    return {
        "tool": step.tool,
        **({"together": True} if step.is_together else {}),
        "args": {name: _write_arg(arg) for name, arg in step.args.items()},
        **(
            {"take": {name: _write_taken(one) for name, one in step.takes.items()}}
            if step.takes
            else {}
        ),
        **({"expect": shown} if shown else {}),
    }


def _write_taken(taken: TakenValue) -> dict[str, Any]:
    written = {"path": list(taken.path), "after": taken.after, "before": taken.before}
    return {name: value for name, value in written.items() if value}


def _write_arg(arg: Arg) -> Any:  # noqa: PLR0911 (one row per kind)
    match arg:
        case TextTemplate():
            return arg.template
        case ModelPlace():
            return {MODEL: arg.what, **({} if arg.like is None else {LIKE: arg.like})}
        case Fixed(value=str() as text):
            return {FIXED: text} if PLACE.search(text) else text
        case Fixed(value=dict() | list() as value):
            return {FIXED: value} if value else value
        case Fixed():
            return arg.value
        case Mapping():
            written = {key: _write_arg(one) for key, one in arg.items()}
            return {OBJECT: written} if PLACE_KEYS & arg.keys() else written
        case _:
            return [_write_arg(one) for one in arg]
