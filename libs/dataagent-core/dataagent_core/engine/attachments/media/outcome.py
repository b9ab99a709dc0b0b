"""What becomes of a reference in one model call.

It is shown, its text is given instead, or a sentence says why it is not shown.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Shown:
    """A block of content with the bytes in it."""

    block: dict[str, Any]
    size_bytes: int


@dataclass(frozen=True, slots=True)
class NotShown:
    """Why a model is not given something to look at, and what a person can do about it."""

    why: str
    way_out: str = ""
    # Whether the person hears of it; not of what goes with time, such as a file that changed.
    is_reported: bool = True


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a PDF, for a model that is not shown the document; `why` it is not."""

    text: str
    why: str
    # What of the document is missing in the text; empty if nothing is.
    missing: str = ""


Outcome = Shown | DocumentText | NotShown
