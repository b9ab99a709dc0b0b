"""/memory: the notes and instructions the agent reads before every run."""

import asyncio

from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import needs_this_machine, workspace_of

_LINES_MAX = 100


async def memory(shell: Shell, argument: str) -> None:
    """Show their contents and paths."""
    del argument
    needs_this_machine(shell, "memory")
    from dataagent_core.memory import memory_files, read_memory

    settings, say = shell.app.settings, shell.app.say
    files = memory_files(settings.ensure_agent_dir(settings.assistant_id), workspace_of(shell))
    for file in files:
        text = await asyncio.to_thread(read_memory, [file])
        shell.output.note(f"{file.shown_path}  {one_line(str(file.path))}", bold=bool(text))
        # The first two lines repeat the file's name.
        lines = sanitize_text(text).split("\n")[2:]
        for line in lines[:_LINES_MAX]:
            shell.output.note(f"  {line.expandtabs(4)}")
        if len(lines) > _LINES_MAX:
            more = say("more_lines", count=len(lines) - _LINES_MAX)
            shell.output.note(f"  {more}", dim=True)
        if not text:
            shell.output.note(f"  {say('command_no_memory')}", dim=True)
    shell.output.note(say("command_memory_how"), dim=True)
