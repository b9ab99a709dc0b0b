"""The sub-agents of this machine: listed, shown, and written as files."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.missing_tools import say_missing_tools
from dataagent_cli.output.problem_note import note_problem
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App
from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.subagents import (
    SubAgent,
    SubAgentSet,
    SubAgentTrigger,
    built_in_subagents,
    load_subagents,
    render_subagent,
)
from dataagent_core.subagents.subagent_folder import (
    PERSON_SUBAGENTS,
    PROJECT_SUBAGENTS,
    ListedSubAgent,
    SubAgentProblem,
)

_TEMPLATE = """\
You are a specialist for one kind of task. Do exactly the task you are given.

1. Find out what is needed before the first step.
2. Do the work with the tools you have.
3. Check the result, and say how you checked it.

Answer with the result in full: whoever asked sees nothing else of your work."""


def find_folder(app: App, project: Path | None = None) -> Path:
    """Find the folder of a project's sub-agents, or of the person's."""
    if project is not None:
        return project / PROJECT_SUBAGENTS
    return app.settings.ensure_agent_dir(app.settings.assistant_id) / PERSON_SUBAGENTS


def load_all(app: App, project: Path) -> SubAgentSet:
    """Read the sub-agents of all places."""
    return load_subagents(find_folder(app, project), find_folder(app), built_in_subagents())


def list_subagents(app: App, as_json: bool) -> None:
    """Print every sub-agent with where it comes from."""
    found = load_all(app, Path.cwd())
    if as_json:
        write_document([_to_json(one) for one in found.listed])
        return
    heads = [
        app.say(f"col.{name}") for name in ("subagent", "origin", "skill_state", "description")
    ]
    rows = [
        [
            one.subagent.name,
            app.say(f"origin.{one.origin}"),
            _say_state(app, one),
            one.subagent.trigger.description,
        ]
        for one in found.listed
    ]
    print_table(app.output, heads, rows)
    _note_problems(app, found.problems)


def show_subagent(app: App, name: str, as_json: bool) -> None:
    """Print a sub-agent as a file."""
    found = _find(app, name)
    if as_json:
        prompt = {"system_prompt": found.subagent.system_prompt}
        write_document({**_to_json(found), **prompt})
        return
    app.output.note(f"{app.say(f'origin.{found.origin}')} {found.path or ''}".rstrip(), dim=True)
    for line in render_subagent(found.subagent).splitlines():
        app.output.line(sanitize_text(line))
    for warning in found.subagent.warnings:
        app.output.note(app.say("warning", text=one_line(warning)), fg="yellow")


def write_subagent(
    app: App, name: str, description: str, copied: str | None, *, project: bool
) -> None:
    """Write a file: a template, or a copy of another sub-agent."""
    if copied is None:
        trigger = SubAgentTrigger(description=description or app.say("subagent_description"))
        subagent = SubAgent(id=name, name=name, trigger=trigger, system_prompt=_TEMPLATE)
    else:
        other = _find(app, copied).subagent
        trigger = replace(other.trigger, description=description or other.trigger.description)
        # Two of one name for people could not be told apart in a list.
        subagent = replace(other, id=name, name=name, display_name="", trigger=trigger)
    text = render_subagent(subagent)
    folder = find_folder(app, Path.cwd() if project else None)
    path = folder / f"{name}.md"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise ConflictError(app.say("subagent_exists", path=path)) from error
    app.output.note(app.say("subagent_made", path=path))
    app.output.note(app.say("subagent_made_next", name=name), dim=True)


def _find(app: App, name: str) -> ListedSubAgent:
    known = load_all(app, Path.cwd())
    found = known.find(name)
    if found is not None:
        return found
    broken = [one for one in known.problems if Path(one.path).stem == name and not one.is_warning]
    _note_problems(app, broken)
    raise NotFoundError(
        app.say("subagent_broken" if broken else "subagent_unknown", name=one_line(name))
    )


def _note_problems(app: App, problems: Iterable[SubAgentProblem]) -> None:
    for problem in problems:
        place = ":".join(
            str(part) for part in (problem.path, problem.line, problem.column) if part is not None
        )
        note_problem(app.output, app.say, place, problem.message, is_warning=problem.is_warning)


def _say_state(app: App, one: ListedSubAgent) -> str:
    if one.is_overridden:
        return app.say("skill_overridden")
    if not one.subagent.enabled:
        return app.say("skill_disabled")
    if one.subagent.hidden:
        return app.say("subagent_hidden")
    return say_missing_tools(app.say, one.subagent.requires_tools)


def _to_json(one: ListedSubAgent) -> dict[str, Any]:
    subagent = one.subagent
    return {
        "name": subagent.name,
        "display_name": subagent.display_name,
        "description": subagent.trigger.description,
        "origin": one.origin,
        "path": str(one.path or ""),
        "is_overridden": one.is_overridden,
        "enabled": subagent.enabled,
        "hidden": subagent.hidden,
        "model": subagent.model,
        "allowed_tools": None if subagent.allowed_tools is None else list(subagent.allowed_tools),
        "requires_tools": list(subagent.requires_tools),
        "keywords": list(subagent.trigger.keywords),
        "examples": list(subagent.trigger.examples),
        "warnings": list(subagent.warnings),
    }
