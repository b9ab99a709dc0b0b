"""/skills and /agents: what the agent knows, and to whom it gives work."""

from typing import TYPE_CHECKING

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import needs_this_machine
from dataagent_core.errors import NotFoundError

if TYPE_CHECKING:
    from dataagent_core.skills import Skill

_NAME_CELLS = 24


async def skills(shell: Shell, argument: str) -> None:
    """Let the person choose a skill, and say what to do with it."""
    needs_this_machine(shell, "skills")
    say = shell.app.say
    known = {skill.name: skill for skill in await shell.workbench.skills()}
    if not known:
        settings = shell.app.settings
        folder = settings.ensure_agent_dir(settings.assistant_id) / "skills"
        shell.output.note(say("command_no_skills", folder=folder))
        return
    name, _, task = argument.partition(" ")
    if not name:
        rows = [_row(shell, skill) for skill in known.values()]
        chosen = await shell.pick(say("command_skill_pick"), rows)
        if chosen is None:
            return
        name = list(known)[chosen]
    elif name not in known:
        raise NotFoundError(say("skill_unknown", name=one_line(name)))
    begin = say("command_skill_use", name=name)
    task = task.strip() or (await shell.ask(begin) or "").strip()
    if task:
        await shell.send(begin + task)


async def agents(shell: Shell, argument: str) -> None:
    """List the sub-agents that a message may ask for."""
    del argument
    needs_this_machine(shell, "agents")
    say, output = shell.app.say, shell.output
    found = await shell.workbench.subagents()
    for one in found:
        about = one_line(one.trigger.description)
        output.note(f"@{one_line(one.name)}", bold=True)
        output.note(f"  {cut(about, output.width_cells - 3)}")
    output.note(say("command_agents_how" if found else "command_no_subagents"), dim=True)


def _row(shell: Shell, skill: "Skill") -> str:
    room = max(shell.output.width_cells - _NAME_CELLS - 4, 1)
    return f"{skill.name:<{_NAME_CELLS}} {cut(one_line(skill.description), room)}"
