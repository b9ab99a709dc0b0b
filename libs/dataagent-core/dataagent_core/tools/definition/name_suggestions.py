"""The names a person or a model may have meant when they wrote one that does not exist."""

import difflib
from collections.abc import Iterable

from dataagent_core.config.limits import NEAREST_NAMES_MAX


def find_nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """List the known names most like this one; those that hold it, or are held by it, first."""
    names = list(dict.fromkeys(known))
    wanted = name.lower()
    holding = [n for n in names if wanted and (wanted in n.lower() or n.lower() in wanted)]
    holding.sort(key=len)
    alike = difflib.get_close_matches(wanted, [n.lower() for n in names], NEAREST_NAMES_MAX)
    by_lower = {n.lower(): n for n in names}
    return list(dict.fromkeys([*holding, *(by_lower[n] for n in alike)]))[:NEAREST_NAMES_MAX]


def suggest_names(name: str, known: Iterable[str]) -> str:
    """Say the nearest names as a question, or nothing where there are none."""
    found = find_nearest_names(name, known)
    return f"Did you mean {' or '.join(repr(n) for n in found)}?" if found else ""


def describe_unknown_name(
    problem: str, name: str, known: Iterable[str], tool_hint: str
) -> tuple[str, str]:
    """Say to a model and to a person that a name is not known, with the nearest one there is.

    Where there is none, only the model is sent to the tool that lists them: the person has pages.
    """
    near = suggest_names(name, known)
    return f"{problem} {near or tool_hint}", f"{problem} {near}".rstrip()
