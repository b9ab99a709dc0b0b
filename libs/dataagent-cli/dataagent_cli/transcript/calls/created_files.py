"""The files a call created: as pictures or plots if possible, and their paths."""

from typing import TYPE_CHECKING

from rich.text import Text

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.transcript.calls.plots import Read, is_spec, plot_lines
from dataagent_cli.transcript.limits import (
    FILES_OF_CALL_MAX,
    PICTURE_BYTES_MAX,
    PICTURES_OF_CALL_MAX,
)
from dataagent_cli.transcript.terminal.images import FORMATS, Picture, picture
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from dataagent_core.events import ToolResultEvent

_INDENT = "    "


def render_created_files(
    event: "ToolResultEvent", read: Read | None, say: Messages, look: TerminalStyle
) -> list[Text | Picture]:
    """Render the pictures of a call, or plots of its charts, then the paths of all files."""
    if not event.artifacts:
        return []
    shown: list[Text | Picture] = [*_render_pictures(event, read, look)]
    if not shown and read is not None:
        shown += [
            Text(cut(_INDENT + line, look.room_cells))
            for line in plot_lines(event, read, look.room_cells)
        ]
    paths = [str(made.get("path", "")) for made in event.artifacts]
    named = [path for path in paths if not is_spec(path)]
    for path in named[:FILES_OF_CALL_MAX]:
        text = _INDENT + say("file_at", path=one_line(path))
        shown.append(Text(cut(text, look.room_cells), style="dim"))
    more = len(named) - FILES_OF_CALL_MAX
    if more > 0:
        shown.append(Text(f"{_INDENT}{say('more_files', count=more)}", style="dim"))
    return shown


def _render_pictures(
    event: "ToolResultEvent", read: Read | None, look: TerminalStyle
) -> list[Text | Picture]:
    found: list[Text | Picture] = []
    if read is None or look.images == "none" or look.plain:
        return found
    for made in event.artifacts:
        media_type = str(made.get("media_type", ""))
        if media_type not in FORMATS or len(found) >= PICTURES_OF_CALL_MAX:
            continue
        data = read(str(made.get("path", "")), PICTURE_BYTES_MAX)
        if data and (made_picture := picture(data, media_type, look)):
            found.append(made_picture)
    return found
