"""`skills list` and `skills show`."""

from typing import Any

from dataagent_cli.commands.skills.problem_notes import note_problems
from dataagent_cli.commands.skills.skill_folders import load_tiers
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.missing_tools import say_missing_tools
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError
from dataagent_core.skills import SkillScope
from dataagent_core.skills.tiers import SkillState, rank_tier

# As sub-agents have them: on this machine the tenant is the person.
_ORIGINS = {
    SkillScope.SYSTEM: "built-in",
    SkillScope.TENANT: "person",
    SkillScope.PROJECT: "project",
}


def list_skills(app: App, as_json: bool) -> None:
    """Print every skill with its tier, the nearest first; one that is not offered says why."""
    loaded, problems = load_tiers(app)
    states = sorted(loaded, key=lambda one: rank_tier(one.skill.scope))
    if as_json:
        write_document([_to_json(one) for one in states])
        return
    heads = [app.say(f"col.{name}") for name in ("skill", "origin", "skill_state", "description")]
    rows = [
        [one.skill.name, _say_origin(app, one), _say_state(app, one), one.skill.description]
        for one in states
    ]
    print_table(app.output, heads, rows)
    note_problems(app, problems)


def show_skill(app: App, name: str, as_json: bool) -> None:
    """Print the skill that counts under a name."""
    states, problems = load_tiers(app)
    found = [one for one in states if one.skill.name == name]
    state = next((one for one in found if not one.is_overridden), None)
    broken = [problem for problem in problems if problem.name == name]
    if state is None:
        note_problems(app, broken)
        raise NotFoundError(
            app.say("skill_broken" if broken else "skill_unknown", name=one_line(name))
        )
    skill = state.skill
    if as_json:
        write_document({**_to_json(state), "content": skill.content})
        return
    output = app.output
    output.line(one_line(skill.name), bold=True)
    output.sentence(one_line(skill.description))
    facts = {
        "origin": _say_origin(app, state),
        "skill_state": _say_state(app, state),
        "place": str(skill.folder or ""),
        "version": skill.version,
        "triggers": ", ".join(skill.trigger.phrases),
        "tools": ", ".join(skill.allowed_tools or ()),
        "files": ", ".join(file.path for file in skill.files),
    }
    for key, value in facts.items():
        if value:
            output.sentence(f"{app.say(f'col.{key}')}: {one_line(value)}", dim=True)
    output.line("")
    for line in skill.content.splitlines():
        output.line(sanitize_text(line))
    note_problems(app, broken)


def _say_origin(app: App, state: SkillState) -> str:
    """Say whose skill it is, in the words of this machine."""
    return app.say(f"origin.{_ORIGINS[state.skill.scope]}")


def _say_state(app: App, state: SkillState) -> str:
    if state.is_disabled:
        return app.say("skill_disabled")
    if state.is_overridden:
        return app.say("skill_overridden")
    return say_missing_tools(app.say, state.skill.requires_tools)


def _to_json(state: SkillState) -> dict[str, Any]:
    skill = state.skill
    return {
        "name": skill.name,
        "display_name": skill.display_name,
        "description": skill.description,
        "scope": str(skill.scope),
        "version": skill.version,
        "status": skill.status,
        "is_disabled": state.is_disabled,
        "is_overridden": state.is_overridden,
        "triggers": list(skill.trigger.phrases),
        "allowed_tools": None if skill.allowed_tools is None else list(skill.allowed_tools),
        "folder": str(skill.folder or ""),
        "files": [file.path for file in skill.files],
    }
