"""Masks personal values in previews, exports, charts and reports: `[email 3fa2]`.

Equal values of one result have equal masks, so that a model can speak of "the same customer". The
mask is a hash salted with the result's id; it is so short that many values share it and none can
be found by trying.
"""

import hashlib
import re
from collections.abc import Callable
from typing import Any, cast

from dataagent_core.language.personal_text import find_personal_texts
from dataagent_core.tools.data.results.stored_result import StoredResult, parse_personal_kinds

_MARK_CHARS = 4
# Every personal text has one of these characters; most texts have none.
_MAYBE = re.compile(r"[@\d]")


def mask_value(value: object, kind: str, salt: str) -> str | None:
    """Return the mask of a value; None stays None."""
    if value is None:
        return None
    mark = hashlib.sha256(f"{salt}\0{value}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"[{kind} {mark[:_MARK_CHARS]}]"


def scrub_text(text: str, salt: str = "") -> str:
    """Mask the personal values in free text: a cell, an engine's message."""
    if not _MAYBE.search(text):
        return text
    for kind, found in list(find_personal_texts(text)):
        text = text.replace(found, str(mask_value(found, kind, salt)))
    return text


def make_cell_mask(kept: StoredResult) -> Callable[[str, Any], Any]:
    """Return the function that masks a cell by its column; other cells pass unchanged."""
    kinds, salt = parse_personal_kinds(kept), kept.result_id

    def mask(column: str, value: Any) -> Any:
        if column in kinds:
            return mask_value(value, kinds[column], salt)
        return _scrub_value(value, salt)

    return mask


def _scrub_value(value: object, salt: str) -> object:
    """Mask the personal texts in a value, at any depth."""
    match value:
        case str():
            return scrub_text(value, salt)
        case dict():
            fields = cast("dict[str, object]", value)
            masked = {name: _scrub_value(part, salt) for name, part in fields.items()}
            return value if masked == value else masked
        case list() | tuple():
            parts = cast("list[object] | tuple[object, ...]", value)
            masked = type(parts)(_scrub_value(part, salt) for part in parts)
            return value if masked == value else masked
        case _:
            return value
