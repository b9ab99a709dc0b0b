"""/plan: the work plan, which a person may change before and while it is carried out."""

from typing import Any

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import above_prompt
from dataagent_cli.sessions.plan_words import parse_plan_words
from dataagent_core.errors import NotFoundError


async def plan(shell: Shell, argument: str) -> None:
    """Show the plan, or change a step that has not begun; the events show what it is then."""
    say, conversation = shell.app.say, shell.conversation
    edit = parse_plan_words(argument, say)
    found = await conversation.plan()
    if found is None:
        raise NotFoundError(say("no_plan"))
    from dataagent_cli.sessions.plan import print_plan

    if edit is None:
        print_plan(above_prompt(shell), found)
        return
    await _check_agent(shell, edit)
    from dataagent_core.planning import read_edits
    from dataagent_core.planning.plan_log import PlanChangedError

    try:
        await conversation.edit_plan(read_edits([edit]), found.version)
    except PlanChangedError as error:
        print_plan(above_prompt(shell), error.plan)
        raise


async def _check_agent(shell: Shell, edit: dict[str, Any]) -> None:
    """Refuse a sub-agent that is not there."""
    from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE

    name = edit.get("assigned_agent")
    if not name or name == GENERAL_PURPOSE:
        return
    if all(one.name != name for one in await shell.workbench.subagents()):
        raise NotFoundError(shell.app.say("command_subagent_unknown", name=one_line(name)))
