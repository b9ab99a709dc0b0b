"""The folders of skills that a person of this machine has, and what is put into them."""

import sys
from pathlib import Path

import click

from dataagent_cli.commands.skills.problem_notes import note_problems
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import App
from dataagent_core.config.paths import PERSON_SKILLS, PROJECT_SKILLS
from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.skills import Skill, SkillProblem, SkillScope, load_folder, load_skill
from dataagent_core.skills.built_in_skills import built_in_folder
from dataagent_core.skills.skill_package import NAMES_OF_SKILL_FILE
from dataagent_core.skills.skill_writer import install_skill, remove_skill
from dataagent_core.skills.tiers import SkillState, list_skill_states


def find_tier(app: App, *, project: bool) -> Path:
    """Find the folder of the person's skills, or of the project's."""
    if project:
        return Path.cwd() / PROJECT_SKILLS
    return app.settings.ensure_agent_dir(app.settings.assistant_id) / PERSON_SKILLS


def tier_scope(*, project: bool) -> SkillScope:
    """Name the tier of that folder."""
    return SkillScope.PROJECT if project else SkillScope.TENANT


def load_tiers(app: App) -> tuple[list[SkillState], list[SkillProblem]]:
    """Read the skills of all tiers, and what is wrong with them."""
    folders = {
        SkillScope.SYSTEM: built_in_folder(),
        SkillScope.TENANT: find_tier(app, project=False),
        SkillScope.PROJECT: find_tier(app, project=True),
    }
    sets = {scope: load_folder(folder, scope) for scope, folder in folders.items()}
    states = list_skill_states(
        sets[SkillScope.SYSTEM].skills,
        sets[SkillScope.TENANT].skills,
        sets[SkillScope.PROJECT].skills,
    )
    return states, [problem for one in sets.values() for problem in one.problems]


def find_folder(app: App, name: str) -> Path:
    """Read an argument that names no skill as the folder of one, or as the SKILL.md in it."""
    path = Path(name).expanduser()
    folder = path.parent if path.name in NAMES_OF_SKILL_FILE else path
    if not folder.is_dir():
        raise NotFoundError(app.say("skill_unknown", name=one_line(name)))
    return folder.resolve()


def list_usable(states: list[SkillState]) -> list[Skill]:
    """List the skills that take part: those neither disabled nor overridden."""
    return [one.skill for one in states if not one.is_disabled and not one.is_overridden]


def install_into(app: App, source: Path, *, project: bool, replace: bool) -> None:
    """Install a folder or zip file; ask before one of the same name is replaced."""
    tier, scope = find_tier(app, project=project), tier_scope(project=project)
    try:
        skill = install_skill(source, tier, scope=scope, replace=replace)
    except ConflictError as error:
        if not sys.stdin.isatty():
            raise
        if not click.confirm(app.say("skill_replace", problem=one_line(str(error))), err=True):
            return
        skill = install_skill(source, tier, scope=scope, replace=True)
    folder = tier / skill.name
    app.output.note(app.say("skill_installed", name=skill.name, path=folder))
    note_problems(app, load_skill(folder, scope).problems)
    app.output.note(app.say("skill_installed_next", name=skill.name), dim=True)


def remove_from(app: App, name: str, *, project: bool) -> None:
    """Remove a skill; one that is only in another tier is not, and the error says where it is."""
    try:
        remove_skill(find_tier(app, project=project), name)
    except NotFoundError as error:
        scopes = {one.skill.scope for one in load_tiers(app)[0] if one.skill.name == name}
        if SkillScope.PROJECT in scopes:
            raise NotFoundError(app.say("skill_of_project", name=name)) from error
        if SkillScope.TENANT in scopes:
            raise NotFoundError(app.say("skill_of_person", name=name)) from error
        if SkillScope.SYSTEM in scopes:
            raise ConflictError(app.say("skill_built_in", name=name)) from error
        raise
    app.output.note(app.say("skill_removed", name=name))
