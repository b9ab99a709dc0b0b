"""A session's first title: the beginning of its first message. Pure."""

from typing import Final

TITLE_CHARS: Final = 80


def title_from(text: str) -> str | None:
    """Shorten a message to one line that can be shown; None when nothing of it can be."""
    # Looked at no further than a title can need.
    shown = "".join(c if c.isprintable() else " " for c in text[: TITLE_CHARS * 20])
    line = " ".join(shown.split())
    if len(line) <= TITLE_CHARS:
        return line or None
    cut = line[:TITLE_CHARS]
    return cut.rsplit(" ", 1)[0] + "…" if " " in cut else cut + "…"
