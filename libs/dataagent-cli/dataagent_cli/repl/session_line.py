"""A session on one line of a list. Pure."""

from pathlib import Path

from dataagent_cli.conversation.record import SessionRow
from dataagent_cli.messages import Messages
from dataagent_cli.output.paths import display_path
from dataagent_cli.output.sanitize import one_line


def session_line(row: SessionRow, say: Messages) -> str:
    """Write when it was used, its directory, what it is about and its state."""
    when = row.last_active.astimezone().strftime("%Y-%m-%d %H:%M")
    state = f"  ({say(f'state.{row.state}')})" if row.state else ""
    place = f"  {display_path(Path(row.place))}" if row.place else ""
    return f"{when}{place}  {one_line(row.about)}{state}"
