"""`dataagent skills`: list, show, new, validate, test, install, remove."""

from pathlib import Path

import click

from dataagent_cli.help.completion_values import skill_names
from dataagent_cli.output.error_report import errors_as_json

_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_project_option = click.option(
    "--project", is_flag=True, help="In this project's .dataagent, not in your own folder."
)


@click.group()
def skills() -> None:
    """List, write, check, test, install and remove skills."""


@skills.command("list")
@_json_option
def list_(as_json: bool) -> None:
    """List the skills of all tiers; a nearer one of the same name wins."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.commands.skills.skill_listing import list_skills

        list_skills(wiring.start(), as_json)


@skills.command()
@click.argument("name", shell_complete=skill_names)
@_json_option
def show(name: str, as_json: bool) -> None:
    """Show a skill: where it is, what it may use, its text and its files."""
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.commands.skills.skill_listing import show_skill

        show_skill(wiring.start(), name, as_json)


@skills.command()
@click.argument("name")
@click.option("--description", default="", help="What it is for and when to use it.")
@_project_option
def new(name: str, description: str, project: bool) -> None:
    """Write a new skill from a template, to be filled in."""
    from dataagent_cli import wiring
    from dataagent_cli.commands.skills.skill_folders import find_tier, tier_scope
    from dataagent_core.skills.skill_writer import new_skill

    app = wiring.start()
    tier = find_tier(app, project=project)
    about = description or app.say("skill_description", title=name.replace("-", " ").capitalize())
    skill = new_skill(tier, name, description=about, scope=tier_scope(project=project))
    app.output.note(app.say("skill_made", path=tier / skill.name / "SKILL.md"))
    app.output.note(app.say("skill_made_next", name=skill.name), dim=True)


@skills.command()
@click.argument("names", metavar="[NAME|FOLDER]...", nargs=-1, shell_complete=skill_names)
@_json_option
def validate(names: tuple[str, ...], as_json: bool) -> int:
    """Check skills and name every problem with its line; without a name, check all.

    The exit code is 1 if one cannot be used.
    """
    with errors_as_json(as_json):
        from dataagent_cli import wiring
        from dataagent_cli.commands.skills.skill_validation import validate_skills

        return validate_skills(wiring.start(), names, as_json)


@skills.command()
@click.argument("names", metavar="[NAME|FOLDER]...", nargs=-1, shell_complete=skill_names)
@_json_option
def test(names: tuple[str, ...], as_json: bool) -> int:
    """Try the prompts of evals/evals.json: which skills fire, and which get in each other's way.

    The exit code is 1 if a skill is broken or has no prompts.
    """
    with errors_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.commands.skills.skill_tests import run_skill_tests

        return asyncio.run(run_skill_tests(wiring.start(), names, as_json))


@skills.command()
@click.argument("source", metavar="FOLDER|ZIP", type=click.Path(path_type=Path))
@_project_option
@click.option("--replace", is_flag=True, help="Replace a skill of this name without a question.")
def install(source: Path, project: bool, replace: bool) -> None:
    """Copy a skill into your own folder, or into the project's."""
    from dataagent_cli import wiring
    from dataagent_cli.commands.skills.skill_folders import install_into

    install_into(wiring.start(), source, project=project, replace=replace)


@skills.command()
@click.argument("name", shell_complete=skill_names)
@_project_option
def remove(name: str, project: bool) -> None:
    """Remove a skill with its files from your own folder, or from the project's."""
    from dataagent_cli import wiring
    from dataagent_cli.commands.skills.skill_folders import remove_from

    remove_from(wiring.start(), name, project=project)
