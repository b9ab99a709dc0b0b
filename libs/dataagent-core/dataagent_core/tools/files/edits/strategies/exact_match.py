"""Finds the old string as it is."""

from functools import partial

from dataagent_core.config.limits import EDIT_PLACES_MAX
from dataagent_core.tools.files.edits.strategies.line_edges import (
    carry_after_indent,
    is_other_indent,
    keep_line_ends,
)
from dataagent_core.tools.files.edits.strategies.replacement import EditTarget


def find_exact(text: str, old: str, new: str) -> list[EditTarget]:
    """Give every occurrence, also overlapping ones: those make an edit ambiguous too."""
    found: list[EditTarget] = []
    otherwise = 0
    start = text.find(old)
    # One more than is allowed, so that the caller sees there are too many.
    while start >= 0 and len(found) <= EDIT_PLACES_MAX:
        end = start + len(old)
        before = text[text.rfind("\n", 0, start) + 1 : start]
        otherwise += is_other_indent(before, old, new)
        fitted = keep_line_ends(text[start - 1 : start], text[end : end + 1], old, new)
        found.append(EditTarget(start, end, partial(carry_after_indent, before, old, fitted)))
        start = text.find(old, start + 1)
    # These are left to the strategies that carry an indentation over.
    return [] if otherwise == len(found) else found
