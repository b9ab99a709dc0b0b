"""What stands in for a personal value: `[email 3fa2]`.

Equal values of one result look equal, so that a model can speak of "the same customer"; the mark
is a hash with the result's own id, short enough that many values share it and none can be found
by trying.
"""

import hashlib
import re

from dataagent_core.tools.data.privacy.personal_kinds import find_personal_texts

_MARK_CHARS = 4
# Nothing found in a text is without one of these; most texts are.
_MAYBE = re.compile(r"[@\d]")


def mask_value(value: object, kind: str, salt: str) -> str | None:
    """Give the stand-in of a value; nothing stays nothing."""
    if value is None:
        return None
    mark = hashlib.sha256(f"{salt}\0{value}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"[{kind} {mark[:_MARK_CHARS]}]"


def scrub_text(text: str, salt: str = "") -> str:
    """Replace what is personal beyond doubt in any text: a free-text cell, an engine's message."""
    if not _MAYBE.search(text):
        return text
    for kind, found in list(find_personal_texts(text)):
        text = text.replace(found, str(mask_value(found, kind, salt)))
    return text
