"""The document format of a session: by its name, or by a file's name. Pure."""

from pathlib import Path
from typing import Final

from dataagent_cli.conversation.record import Format
from dataagent_cli.messages import Messages
from dataagent_core.errors import ValidationError

FORMATS: Final[dict[str, Format]] = {"md": "md", "html": "html", "json": "json"}
_BY_ENDING: Final[dict[str, Format]] = {**FORMATS, "markdown": "md", "txt": "md", "htm": "html"}


def format_of_file(path: Path, say: Messages) -> Format:
    """Return the format of a file's name; a file never holds another format."""
    ending = path.suffix.lstrip(".").lower()
    if ending not in _BY_ENDING:
        raise ValidationError(say("no_such_format", name=ending or path.name))
    return _BY_ENDING[ending]
