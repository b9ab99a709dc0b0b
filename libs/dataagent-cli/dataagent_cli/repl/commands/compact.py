"""/compact: the model is shown a shorter history from now on."""

from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import needs_idle


async def compact(shell: Shell, argument: str) -> None:
    """Have older messages summarised; what is typed after it is kept."""
    needs_idle(shell)
    await shell.conversation.compact(argument)
