"""Finds the old string as it is."""

from dataagent_core.config.limits import EDIT_PLACES_MAX
from dataagent_core.tools.files.strategies.replacement import Replacement


def exact(text: str, old: str, new: str) -> list[Replacement]:
    """Give every occurrence, also overlapping ones: those make an edit ambiguous too."""
    found: list[Replacement] = []
    start = text.find(old)
    # One more than is allowed, so that the caller sees there are too many.
    while start >= 0 and len(found) <= EDIT_PLACES_MAX:
        found.append(Replacement(start, start + len(old), new))
        start = text.find(old, start + 1)
    return found
