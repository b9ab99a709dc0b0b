"""Finds the old string as it is."""

from functools import partial

from dataagent_core.config.limits import EDIT_PLACES_MAX
from dataagent_core.tools.files.strategies.line_edges import (
    carried_after_indent,
    is_other_indent,
    with_line_ends,
)
from dataagent_core.tools.files.strategies.replacement import Place


def exact(text: str, old: str, new: str) -> list[Place]:
    """Give every occurrence, also overlapping ones: those make an edit ambiguous too."""
    found: list[Place] = []
    otherwise = 0
    start = text.find(old)
    # One more than is allowed, so that the caller sees there are too many.
    while start >= 0 and len(found) <= EDIT_PLACES_MAX:
        end = start + len(old)
        before = text[text.rfind("\n", 0, start) + 1 : start]
        otherwise += is_other_indent(before, old, new)
        fitted = with_line_ends(text[start - 1 : start], text[end : end + 1], old, new)
        found.append(Place(start, end, partial(carried_after_indent, before, old, fitted)))
        start = text.find(old, start + 1)
    # These are left to the strategies that carry an indentation over.
    return [] if otherwise == len(found) else found
