"""Finds the JSON document in what a model wrote. Pure.

Models like to put a fence around it. Beside that nothing is taken away and nothing is mended: the
document is handed on exactly as it was checked.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from dataagent_core.config.answer_limits import ANSWER_DEPTH_MAX
from dataagent_core.mcp.offered.schema_walk import depth_of

_FENCED = re.compile(r"\A```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NoDocument:
    """Why a text is no JSON document."""

    problem: str


def document_in(text: str) -> str | NoDocument:
    """Return the document that a text is, with or without a fence around it."""
    stripped = text.strip().removeprefix("\ufeff")
    fenced = _FENCED.match(stripped)
    document = fenced.group(1).strip() if fenced else stripped
    problem = _problem(document)
    return document if problem is None else NoDocument(problem)


def _problem(document: str) -> str | None:
    if not document:
        return "the answer is empty"
    try:
        value = json.loads(document, parse_constant=_refuse, object_pairs_hook=_without_repeats)
    except RecursionError:
        return f"the document is nested deeper than {ANSWER_DEPTH_MAX} levels"
    except ValueError as error:
        return f"the answer is not a JSON document: {error}"
    if depth_of(value, ANSWER_DEPTH_MAX) > ANSWER_DEPTH_MAX:
        return f"the document is nested deeper than {ANSWER_DEPTH_MAX} levels"
    return None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # Which of two values counts depends on the reader; what was checked must be what is read.
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {repeated!r:.100} stands twice in one object")
    return made
