"""/rate: what a person says of the last answer; the event of it is shown."""

from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import needs_idle


async def rate(shell: Shell, argument: str) -> None:
    """Rate the last answer, or say what should have been different."""
    from dataagent_cli.sessions.rate import parse_rating

    rating, correction = parse_rating(argument, shell.app.say)
    needs_idle(shell)
    await shell.conversation.record.rate(rating, correction)
