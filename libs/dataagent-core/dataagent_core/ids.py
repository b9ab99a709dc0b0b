"""The types of ids, and the rule for ids that users choose.

Ids are opaque strings; the `NewType`s only stop one kind from being passed for another.
"""

import re
import uuid
from typing import NewType

from dataagent_core.errors import ValidationError

SessionId = NewType("SessionId", str)
RunId = NewType("RunId", str)
EventId = NewType("EventId", str)
MessageId = NewType("MessageId", str)
InterruptId = NewType("InterruptId", str)

# Ids become file names (locks, agent directories), so they may not hold separators or start with
# a dot, and they fit the 64 characters of the documents' columns.
_CHOSEN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")


def new_id() -> str:
    """Make a new random id."""
    return uuid.uuid4().hex


def checked_id(value: str, what: str) -> str:
    """Return an id that a user or a program chose; raise if it is invalid."""
    if not _CHOSEN_ID.match(value):
        shown = value if len(value) <= 80 else value[:80] + "..."  # noqa: PLR2004 (for the eye)
        raise ValidationError(
            f"{shown!r} cannot be a {what}: use 1 to 64 letters, digits, '.', '_' or '-', "
            "starting with a letter or digit."
        )
    return value
