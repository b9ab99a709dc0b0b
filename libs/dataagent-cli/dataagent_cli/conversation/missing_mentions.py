"""Notes the `@` names in a message that exist nowhere; the message is sent anyway."""

from collections.abc import Sequence

from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output


def note_missing(output: Output, say: Messages, names: Sequence[str]) -> None:
    """Write a line about each name on stderr."""
    for name in names:
        output.note(say("mention_missing", name=name), fg="yellow")
