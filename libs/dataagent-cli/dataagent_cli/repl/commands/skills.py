"""/skills and /agents: what the agent knows, and to whom it gives work."""

from typing import TYPE_CHECKING

from dataagent_cli.conversation.workbench import OfferKind, SkillOffer
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.output.text_width import cut
from dataagent_cli.repl.commands.command import Shell
from dataagent_core.config.paths import PERSON_SKILLS
from dataagent_core.errors import NotFoundError

if TYPE_CHECKING:
    from dataagent_core.subagents import SubAgent

_NAME_CELLS = 24
# In front of a row: a sign, or where lines are typed its number as in "[10] ".
_SIGN_CELLS = 6


async def skills(shell: Shell, argument: str) -> None:
    """Let the person choose a skill, and say what to do with it."""
    say = shell.app.say
    known = {skill.name: skill for skill in await shell.workbench.skills()}
    await _note_broken(shell, "skills")
    if not known:
        shell.output.note(_say_no_skills(shell))
        return
    name, _, task = argument.partition(" ")
    if not name:
        rows = [_row(shell, skill) for skill in known.values()]
        chosen = await shell.pick(say("command_skill_pick"), rows)
        if chosen is None:
            return
        name = list(known)[chosen]
    elif name not in known:
        raise NotFoundError(say("command_skill_unknown", name=one_line(name)))
    begin = say("command_skill_use", name=name)
    task = task.strip() or (await shell.ask(begin) or "").strip()
    if task:
        await shell.send(begin + task)


async def agents(shell: Shell, argument: str) -> None:
    """List the sub-agents that a message may ask for, or show one as a file."""
    say, output = shell.app.say, shell.output
    found = await shell.workbench.subagents()
    if name := argument.strip().removeprefix("@"):
        _show(shell, next((one for one in found if one.name == name), None), name)
        return
    for one in found:
        about = one_line(one.trigger.description)
        output.note(f"@{one_line(one.name)}", bold=True)
        output.note(f"  {cut(about, output.width_cells - 3)}")
    await _note_broken(shell, "agents")
    if not found:
        output.note(say("command_no_subagents"), dim=True)
    elif shell.conversation.facts.server is None:
        output.note(say("command_agents_how"), dim=True)
    else:
        output.note(say("command_agents_how_remote"), dim=True)


async def _note_broken(shell: Shell, kind: OfferKind) -> None:
    """Say that some are missing from a list because of their files, and what tells why."""
    if count := await shell.workbench.count_broken(kind):
        shell.output.note(shell.app.say(f"command_broken.{kind}", count=count), fg="yellow")


def _show(shell: Shell, found: "SubAgent | None", name: str) -> None:
    if found is None:
        raise NotFoundError(shell.app.say("command_subagent_unknown", name=one_line(name)))
    from dataagent_core.subagents import render_subagent

    for line in render_subagent(found).splitlines():
        shell.output.line(sanitize_text(line))


def _say_no_skills(shell: Shell) -> str:
    say, server = shell.app.say, shell.conversation.facts.server
    if server is not None:
        return say("command_no_skills_remote", server=server)
    settings = shell.app.settings
    folder = settings.ensure_agent_dir(settings.assistant_id) / PERSON_SKILLS
    return say("command_no_skills", folder=folder)


def _row(shell: Shell, skill: SkillOffer) -> str:
    text = f"{one_line(skill.name):<{_NAME_CELLS}} {one_line(skill.description)}"
    return cut(text, max(shell.output.width_cells - _SIGN_CELLS, 1))
