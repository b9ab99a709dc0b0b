"""Says which names with `@` nothing has, before the message goes; it goes all the same."""

from collections.abc import Sequence

from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output


def note_missing(output: Output, say: Messages, names: Sequence[str]) -> None:
    """Write a line about each name, where a person sees it and no program reads it."""
    for name in names:
        output.note(say("mention_missing", name=name), fg="yellow")
