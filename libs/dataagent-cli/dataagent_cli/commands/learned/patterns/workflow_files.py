"""`patterns compile` and `patterns edit`: the file of a workflow, shown before it is stored."""

from typing import TextIO

from dataagent_cli.commands.learned.patterns.stored_patterns import (
    confirm,
    find_pattern,
    name_of,
    open_library,
)
from dataagent_cli.commands.learned.patterns.workflow_run import write_run_command
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.wiring import App, open_stores
from dataagent_core.config.limits.patterns import WORKFLOW_BYTES_MAX
from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.patterns import InteractionPattern
from dataagent_core.patterns.workflow.compile_pattern import (
    CompiledWorkflow,
    compare_file,
    compile_pattern,
)
from dataagent_core.patterns.workflow.workflow_record import read_record, with_text


async def compile_into(app: App, name: str, *, sure: bool, as_json: bool) -> None:
    """Compile the workflow of a pattern from its runs."""
    pattern = await find_pattern(app, open_library(app), name)
    async with open_stores(app.settings) as stores:
        compiled = await compile_pattern(pattern, stores)
    await store_workflow(app, pattern, compiled, sure=sure, as_json=as_json)


async def edit_from(app: App, name: str, file: TextIO, *, sure: bool, as_json: bool) -> None:
    """Take over a file."""
    pattern = await find_pattern(app, open_library(app), name)
    # One more than the limit shows that it is too long.
    try:
        text = file.read(WORKFLOW_BYTES_MAX + 1)
    except UnicodeDecodeError as error:
        raise ValidationError(app.say("workflow_not_utf8")) from error
    compared = compare_file(pattern, text)
    theirs = compared.workflow.pattern_id
    if theirs != pattern.id:
        said = app.say("workflow_of_another", theirs=one_line(theirs), name=pattern.id)
        raise ValidationError(said)
    await store_workflow(app, pattern, compared, sure=sure, as_json=as_json)


async def store_workflow(
    app: App, pattern: InteractionPattern, new: CompiledWorkflow, *, sure: bool, as_json: bool
) -> None:
    """Show what is new, and store it on a yes, unless somebody was faster."""
    shown = read_record(pattern)

    def put(now: InteractionPattern) -> InteractionPattern:
        stored = read_record(now)
        if (stored and stored.text) != (shown and shown.text):
            raise ConflictError(app.say("workflow_changed", name=name_of(now)))
        return with_text(now, new.text)

    if not as_json:
        _show(app, pattern, new)
    if new.diff and (sure or confirm(app, "workflow_store_sure", name=new.workflow.name)):
        changed = await open_library(app).update(pattern.id, put)
        if changed is None:
            raise NotFoundError(app.say("pattern_unknown", name=pattern.id))
        if not as_json:
            app.output.note(app.say("workflow_stored", command=write_run_command(new.workflow)))
    elif new.diff:
        app.output.note(app.say("kept"))
    if as_json:
        write_document({"id": pattern.id, "workflow": new.text, "diff": new.diff})


def _show(app: App, pattern: InteractionPattern, new: CompiledWorkflow) -> None:
    if not new.diff:
        app.output.note(app.say("workflow_unchanged", name=new.workflow.name), dim=True)
        return
    shown = new.text if read_record(pattern) is None else new.diff
    for line in shown.splitlines():
        app.output.line(sanitize_text(line))
