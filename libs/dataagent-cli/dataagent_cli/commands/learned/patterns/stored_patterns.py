"""The patterns of the person at this machine: opened, found by a name, and deleted."""

import sys
from collections.abc import AsyncGenerator

import click

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import TENANT, App
from dataagent_core.config.limits.patterns import PATTERNS_PAGE_MAX
from dataagent_core.engine.assembly.agent_patterns import open_pattern_library
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.patterns import InteractionPattern, PatternLibrary
from dataagent_core.patterns.workflow.workflow_record import read_record

# Patterns are named by the first characters of their ids, as sessions are.
SHORT_ID_CHARS = 8
_PART_CHARS_MIN = 4
# Beyond these a name must be an id.
_LISTED_MAX = 10_000


def open_library(app: App) -> PatternLibrary:
    """Open the patterns that runs on this machine learn."""
    return open_pattern_library(app.settings, TENANT, app.settings.home)


async def read_patterns(library: PatternLibrary) -> AsyncGenerator[InteractionPattern]:
    """Yield the patterns, the ones last changed first."""
    for offset in range(0, _LISTED_MAX, PATTERNS_PAGE_MAX):
        page = await library.list_page(limit=PATTERNS_PAGE_MAX, offset=offset)
        for pattern in page:
            yield pattern
        if len(page) < PATTERNS_PAGE_MAX:
            return


def name_of(pattern: InteractionPattern) -> str:
    """Return what a person types for a pattern: the name of its workflow, or part of its id."""
    record = read_record(pattern)
    return pattern.id[:SHORT_ID_CHARS] if record is None else record.read().name


async def find_pattern(app: App, library: PatternLibrary, name: str) -> InteractionPattern:
    """Find a pattern by its id, the beginning of it, its own name or that of its workflow."""
    found: list[InteractionPattern] = []
    async for pattern in read_patterns(library):
        if name == pattern.id:
            return pattern
        is_part = len(name) >= _PART_CHARS_MIN and pattern.id.startswith(name)
        if is_part or name in {pattern.name, name_of(pattern)}:
            found.append(pattern)
    if len(found) == 1:
        return found[0]
    key = "pattern_ambiguous" if found else "pattern_unknown"
    ids = ", ".join(one.id[:SHORT_ID_CHARS] for one in found)
    raise NotFoundError(app.say(key, name=one_line(name), ids=ids))


async def forget_pattern(app: App, name: str, *, sure: bool, as_json: bool) -> None:
    """Delete a pattern."""
    library = open_library(app)
    pattern = await find_pattern(app, library, name)
    shown = one_line(pattern.name)
    if not sure and not confirm(app, "pattern_forget_sure", name=shown):
        app.output.note(app.say("kept"))
        return
    await library.forget(pattern.id)
    if as_json:
        write_document({"deleted": pattern.id})
    else:
        app.output.note(app.say("pattern_forgotten", name=shown))


def confirm(app: App, key: str, **values: str) -> bool:
    """Ask the person; without a terminal `--yes` is needed."""
    if not sys.stdin.isatty():
        raise ValidationError(app.say("pattern_needs_yes"))
    return click.confirm(app.say(key, **values), err=True)
