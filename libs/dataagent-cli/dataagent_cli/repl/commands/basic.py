"""/help, /quit, /unfold, /mode, /compact and /doctor."""

import asyncio

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import above_prompt, needs_idle
from dataagent_cli.repl.commands.user_commands import add_user_commands
from dataagent_core.errors import ValidationError
from dataagent_core.events.system import Mode

MODES: tuple[Mode, ...] = ("ask", "plan", "auto")
_MODES_BY_NAME: dict[str, Mode] = {mode: mode for mode in MODES}
_NUMBER_CHARS_MAX = 9


async def show_help(shell: Shell, argument: str) -> None:
    """List the commands and the keys."""
    del argument
    say, output = shell.app.say, shell.output
    brought = add_user_commands(shell.commands, shell.app, shell.conversation.facts)
    width = max(len(name) for name in shell.commands) + 1
    for name, command in sorted(shell.commands.items()):
        about = one_line(f"{command.arguments}  {command.about(say)}")
        output.note(cut(f"  /{name:<{width}} {about}", output.width_cells - 1))
    for problem in brought.problems:
        output.note(say("warning", text=one_line(problem)), fg="yellow")
    output.note()
    output.note(say("repl_keys"), dim=True)


async def leave(shell: Shell, argument: str) -> None:
    """Leave the conversation; the session is kept."""
    del argument
    shell.leave()


async def unfold(shell: Shell, argument: str) -> None:
    """Print in full the item with a number."""
    number = argument.lstrip("#")
    if number and not (number.isdecimal() and len(number) <= _NUMBER_CHARS_MAX):
        raise ValidationError(shell.app.say("repl_bad_number"))
    shell.unfold(int(number) if number else None)


async def change_mode(shell: Shell, argument: str) -> None:
    """Switch to the named mode, or print the current one."""
    say = shell.app.say
    if not argument:
        for mode in MODES:
            mark = ">" if mode == shell.conversation.facts.mode else " "
            shell.output.note(f"  {mark} {mode:<5} {say(f'repl_mode_about.{mode}')}")
        return
    wanted = _MODES_BY_NAME.get(argument.lower())
    if wanted is None:
        raise ValidationError(say("repl_bad_mode", mode=argument))
    await shell.conversation.change_mode(wanted)


async def compact(shell: Shell, argument: str) -> None:
    """Summarise older messages; the argument names what to keep."""
    needs_idle(shell)
    await shell.conversation.compact(argument)


async def doctor(shell: Shell, argument: str) -> None:
    """Check this machine and the model of the settings."""
    del argument
    from dataagent_cli.reports.doctor import findings_of, print_findings

    shell.output.note(shell.app.say("command_doctor_looks"), dim=True)
    # The checks use the network and the sandbox, which takes a while.
    findings = await asyncio.to_thread(findings_of, shell.app)
    print_findings(above_prompt(shell), findings)
