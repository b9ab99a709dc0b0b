"""The title of a session: the beginning of its first message, until a user chooses one.

A session's own row has no column for it here, so it stands in the metadata; a server, whose lists
are searched by title, has one.
"""

from dataclasses import replace
from typing import Final

from dataagent_core.config.limits.sessions import TITLE_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.session.state import Session

TITLE_KEY: Final = "title"
TITLE_CHARS: Final = 80


def title_from(text: str) -> str | None:
    """Shorten a message to one line that can be shown; None if nothing can be shown."""
    # Only the beginning is needed for a title.
    line = _one_line(text[: TITLE_CHARS * 20])
    if len(line) <= TITLE_CHARS:
        return line or None
    cut = line[:TITLE_CHARS]
    return cut.rsplit(" ", 1)[0] + "…" if " " in cut else cut + "…"


def title_of(session: Session) -> str | None:
    """Return the title of a session, if it has one."""
    title = session.metadata.get(TITLE_KEY)
    return title if isinstance(title, str) and title else None


def name_session(session: Session, message: str) -> Session:
    """Set the title from a message, unless there is one; the caller stores the session."""
    title = title_from(message)
    if title is None or title_of(session) is not None:
        return session
    return replace(session, metadata={**session.metadata, TITLE_KEY: title})


def retitle_session(session: Session, title: str) -> Session:
    """Set a title that a user chose; the caller stores the session."""
    line = _one_line(title[: TITLE_CHARS_MAX * 20])
    if not 1 <= len(line) <= TITLE_CHARS_MAX:
        raise ValidationError(
            f"the title has {len(line):,} characters that can be shown; "
            f"give it 1 to {TITLE_CHARS_MAX}."
        )
    return replace(session, metadata={**session.metadata, TITLE_KEY: line})


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
