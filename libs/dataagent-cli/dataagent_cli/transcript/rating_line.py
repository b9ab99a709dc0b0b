"""One line about the feedback of a person. Pure."""

from typing import TYPE_CHECKING

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.transcript.terminal.symbols import DOT

if TYPE_CHECKING:
    from dataagent_core.events.feedback import Rating


def say_rating(rating: "Rating", correction: str, say: Messages) -> str:
    """Write a thumb, a correction, or both; neither takes them back."""
    said = one_line(correction)
    if not rating and not said:
        return say("feedback.taken_back")
    text = say(f"feedback.{rating or 'none'}")
    return f"{text} {DOT} {said}" if said else text
