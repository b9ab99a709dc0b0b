"""`patterns run`: a run that follows a workflow."""

import shlex
from collections.abc import Sequence
from dataclasses import replace

from dataagent_cli.commands.learned.patterns.stored_patterns import (
    find_pattern,
    name_of,
    open_library,
)
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.run.one_turn import run_one_turn
from dataagent_cli.run.run_request import RunRequest
from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.patterns.workflow.fill_workflow import check_inputs, fill_text
from dataagent_core.patterns.workflow.workflow import Workflow
from dataagent_core.patterns.workflow.workflow_record import read_record


def write_run_command(workflow: Workflow) -> str:
    """Write what runs a workflow behind `patterns run`, with the inputs of an earlier run."""
    given = [
        f"--input {shlex.quote(f'{name}={one.example}')}"
        if one.example
        else f"--input {name}=VALUE"
        for name, one in workflow.inputs.items()
    ]
    return one_line(" ".join([shlex.quote(workflow.name), *given]))


async def run_workflow(app: App, request: RunRequest, name: str, given: Sequence[str]) -> int:
    """Run it with these inputs; wrong ones are refused before anything runs."""
    pattern = await find_pattern(app, open_library(app), name)
    record = read_record(pattern)
    if record is None:
        raise NotFoundError(app.say("pattern_no_workflow", name=name_of(pattern)))
    workflow = record.read()
    inputs = check_inputs(workflow, _read_inputs(app, given))
    asked = fill_text(workflow.goal, inputs)
    planning = {"workflow": pattern.id, "inputs": inputs}
    return await run_one_turn(app, replace(request, prompt=asked, planning=planning))


def _read_inputs(app: App, given: Sequence[str]) -> dict[str, str]:
    read: dict[str, str] = {}
    for name, value in (_read_input(app, one) for one in given):
        if name in read:
            raise ValidationError(app.say("workflow_input_twice", name=one_line(name)))
        read[name] = value
    return read


def _read_input(app: App, given: str) -> tuple[str, str]:
    name, separator, value = given.partition("=")
    if not separator:
        raise ValidationError(app.say("workflow_bad_input", given=one_line(given)))
    return name.strip(), value
