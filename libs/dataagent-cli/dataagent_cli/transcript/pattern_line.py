"""One line about a pattern that came into play, with the command that says more. Pure."""

from typing import TYPE_CHECKING, Final

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line

if TYPE_CHECKING:
    from dataagent_core.events import PatternEvent

# As `dataagent patterns list` names a pattern without a workflow.
_SHORT_ID_CHARS: Final = 8


def say_pattern(event: "PatternEvent", say: Messages, *, on_server: bool) -> str:
    """Say what becomes of a pattern; those of a server are not in this machine's list."""
    key = f"pattern_mode.{event.mode}"
    if not say.has(key):
        key = "pattern_mode.hint"
    if on_server and say.has(f"{key}.on_server"):
        key = f"{key}.on_server"
    name = one_line(event.pattern_id)[:_SHORT_ID_CHARS]
    return say(key, name=name, share=f"{event.similarity:.0%}")
