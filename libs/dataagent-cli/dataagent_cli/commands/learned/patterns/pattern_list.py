"""`patterns list` and `patterns show`."""

from typing import Any

from dataagent_cli.commands.learned.patterns.stored_patterns import (
    find_pattern,
    name_of,
    open_library,
    read_patterns,
)
from dataagent_cli.commands.learned.patterns.workflow_run import write_run_command
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App
from dataagent_core.config.limits.patterns import WORKFLOW_TRACES_MIN
from dataagent_core.errors import NotFoundError
from dataagent_core.patterns import InteractionPattern
from dataagent_core.patterns.workflow.workflow_record import (
    WorkflowRecord,
    count_repeats,
    read_record,
)


async def list_patterns(app: App, as_json: bool) -> None:
    """Print every pattern, the ones last changed first."""
    found = [pattern async for pattern in read_patterns(open_library(app))]
    if as_json:
        write_document([_to_json(pattern) for pattern in found])
        return
    if not found:
        app.output.note(app.say("patterns_none"), dim=True)
        return
    heads = ["pattern", "pattern_state", "uses", "success", "workflow", "saved", "task"]
    rows = [
        [
            name_of(pattern),
            app.say(f"pattern_state.{pattern.state}"),
            str(pattern.usage_count),
            f"{pattern.success_rate:.0%}",
            _say_workflow(app, pattern),
            _say_saved(app, pattern),
            pattern.name,
        ]
        for pattern in found
    ]
    print_table(app.output, [app.say(f"col.{head}") for head in heads], rows)
    for pattern in filter(_may_be_compiled, found):
        _say_next_step(app, pattern)
        break


async def show_pattern(app: App, name: str, *, only_workflow: bool, as_json: bool) -> None:
    """Print a pattern."""
    pattern = await find_pattern(app, open_library(app), name)
    record = read_record(pattern)
    if only_workflow:
        if record is None:
            raise NotFoundError(app.say("pattern_no_workflow", name=name_of(pattern)))
        app.output.answer(sanitize_text(record.text))
        return
    if as_json:
        text = None if record is None else record.text
        write_document({**_to_json(pattern), "steps": _list_steps(pattern), "workflow": text})
        return
    output = app.output
    output.line(one_line(pattern.name), bold=True)
    facts = {
        "pattern": f"{name_of(pattern)} ({pattern.id})",
        "pattern_state": app.say(f"pattern_state.{pattern.state}"),
        "uses": f"{pattern.usage_count} ({pattern.success_rate:.0%})",
        "repeats": str(count_repeats(pattern)),
        "tools": ", ".join(sorted(pattern.tools)),
        "workflow": _say_workflow(app, pattern),
        "saved": _say_saved(app, pattern),
    }
    for key, value in facts.items():
        if value:
            output.sentence(f"{app.say(f'col.{key}')}: {one_line(value)}", dim=True)
    for number, step in enumerate(_list_steps(pattern), start=1):
        output.sentence(one_line(f"{number}. {step}"))
    for text in pattern.corrections:
        output.sentence(app.say("pattern_corrected", text=one_line(text)))
    if record is not None:
        _print_workflow(app, record)
    if _may_be_compiled(pattern):
        _say_next_step(app, pattern)


def _print_workflow(app: App, record: WorkflowRecord) -> None:
    app.output.line("")
    for line in record.text.splitlines():
        app.output.line(sanitize_text(line))
    command = write_run_command(record.read())
    app.output.note(app.say("workflow_run_how", command=command), dim=True)


def _may_be_compiled(pattern: InteractionPattern) -> bool:
    return read_record(pattern) is None and count_repeats(pattern) >= WORKFLOW_TRACES_MIN


def _say_next_step(app: App, pattern: InteractionPattern) -> None:
    """Say how a workflow is made of what was done often enough in the same way."""
    name, repeats = name_of(pattern), count_repeats(pattern)
    app.output.note(app.say("workflow_compile_how", name=name, repeats=repeats), dim=True)


def _list_steps(pattern: InteractionPattern) -> list[str]:
    listed: list[str] = []
    for step in pattern.steps:
        tools = ", ".join(step.tools)
        listed.append(
            f"{step.description} [{tools}]"
            if step.description and tools
            else step.description or tools
        )
    return listed


def _say_workflow(app: App, pattern: InteractionPattern) -> str:
    record = read_record(pattern)
    if record is None:
        return ""
    return app.say("workflow_runs", runs=record.runs, handed_over=record.handed_over)


def _say_saved(app: App, pattern: InteractionPattern) -> str:
    record = read_record(pattern)
    if record is None or not record.runs:
        return ""
    seconds = round(record.seconds_saved)
    return app.say("workflow_saved", tokens=record.tokens_saved, seconds=seconds)


def _to_json(pattern: InteractionPattern) -> dict[str, Any]:
    record = read_record(pattern)
    saved = None
    if record is not None:
        saved = {
            "name": record.read().name,
            "runs": record.runs,
            "handed_over": record.handed_over,
            "tokens_saved": record.tokens_saved,
            "seconds_saved": record.seconds_saved,
        }
    return {
        "id": pattern.id,
        "name": pattern.name,
        "state": pattern.state,
        "uses": pattern.usage_count,
        "success_rate": round(pattern.success_rate, 3),
        "repeats": count_repeats(pattern),
        "tools": sorted(pattern.tools),
        "saved": saved,
    }
