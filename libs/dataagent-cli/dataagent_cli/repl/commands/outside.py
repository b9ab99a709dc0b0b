"""/mcp, /sources, /permissions and /patterns: what is kept outside the conversation.

Without arguments they list; with arguments they run the program's command of that name, and changes
apply from the next message on.
"""

import asyncio
import shlex
import sys
from contextlib import suppress
from typing import Final

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import (
    above_prompt,
    needs_idle,
    needs_this_machine,
    workspace_of,
)
from dataagent_core.errors import ValidationError


async def mcp(shell: Shell, argument: str) -> None:
    """List the MCP servers, or run `dataagent mcp`."""
    needs_this_machine(shell, "mcp")
    if argument:
        needs_idle(shell)
        await run_program(shell, "mcp", argument)
        await shell.conversation.renew()
        return
    from dataagent_cli.mcp.config.list_servers import list_servers

    await list_servers(above_prompt(shell), workspace_of(shell), as_json=False)
    _say_how(shell, "mcp", "add NAME, test NAME, tools NAME, login NAME")


async def permissions(shell: Shell, argument: str) -> None:
    """List the rules that apply here, or change them."""
    needs_this_machine(shell, "permissions")
    if argument:
        needs_idle(shell)
        # The next run compares the rules with those that the agent was built from.
        await run_program(shell, "permissions", argument)
        return
    from dataagent_cli.permissions.list_rules import list_rules
    from dataagent_cli.permissions.rule_files import locate_rules

    app = above_prompt(shell)
    list_rules(app, locate_rules(app, workspace_of(shell)), as_json=False)
    _say_how(shell, "permissions", "add allow shell 'git *', remove N, explain 'rm -r x'")


async def patterns(shell: Shell, argument: str) -> None:
    """List what was learned from runs, or show, compile, run or forget one of it."""
    needs_this_machine(shell, "patterns")
    if argument:
        needs_idle(shell)
        await run_program(shell, "patterns", argument)
        return
    from dataagent_cli.commands.learned.patterns.pattern_list import list_patterns

    await list_patterns(above_prompt(shell), as_json=False)
    _say_how(shell, "patterns", "show NAME, compile NAME, run NAME, forget NAME")


async def sources(shell: Shell, argument: str) -> None:
    """List the data sources, or change them."""
    server = shell.conversation.facts.server
    if server is not None:
        if argument:
            needs_this_machine(shell, "sources")
        names = await shell.workbench.source_names()
        for name in names:
            shell.output.note(f"  {one_line(name)}")
        if not names:
            shell.output.note(shell.app.say("remote_no_sources", server=server))
        return
    if argument:
        await run_program(shell, "sources", argument)
        return
    from dataagent_cli.data.sources import list_sources

    await list_sources(above_prompt(shell), as_json=False)
    _say_how(shell, "sources", "add NAME URL|PATH, test NAME, remove NAME")


def _say_how(shell: Shell, name: str, words: str) -> None:
    shell.output.note(shell.app.say("command_more", name=name, words=words), dim=True)


_START: Final = "from dataagent_cli.main import main; raise SystemExit(main())"


async def run_program(shell: Shell, group: str, argument: str) -> None:
    """Run a command in the plain terminal, and wait for its end."""
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise ValidationError(shell.app.say("command_bad_quotes", problem=str(error))) from error
    async with shell.lend():
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _START, group, *words, cwd=workspace_of(shell)
        )
        try:
            await process.wait()
        finally:
            with suppress(ProcessLookupError):
                if process.returncode is None:
                    process.terminate()
