"""Prints what is wrong with a file that a person wrote, as compilers do: `place: error: what`."""

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.streams import Output


def note_problem(
    output: Output, say: Messages, place: str, message: str, *, is_warning: bool
) -> None:
    """Print what is wrong at a place of a file."""
    text = say("warning" if is_warning else "error", text=one_line(message))
    output.note(f"{one_line(place)}: {text}", fg="yellow" if is_warning else "red")
