"""Which texts of a trace may become part of a pattern, and in which form. Pure.

A pattern's texts are read by an agent as advice. So they come from people and from the plan alone,
never from what was written after content of others was read; and they are stored without secrets,
personal data and values. Names of tools and arguments are kept only if they are plain names.

A pattern that several people worked by holds words of each. An agent reads them unasked only where
all are its own person's: words of others reach it after that person has read them, in an offer.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from pydantic import JsonValue

from dataagent_core.config.limits.patterns import (
    PATTERN_ARGUMENTS_MAX,
    PATTERN_CORRECTIONS_MAX,
    PATTERN_TEXT_CHARS_MAX,
)
from dataagent_core.patterns.interaction_pattern import InteractionPattern
from dataagent_core.patterns.scrub import scrub
from dataagent_core.patterns.slots import fill_slots
from dataagent_core.patterns.trace import (
    ClarificationQA,
    Correction,
    TracedDecision,
)

_TOOL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}")
_ARGUMENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_TYPES: Final[Mapping[type, str]] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "text",
    list: "list",
    dict: "object",
    type(None): "nothing",
}

_SHARED: Final = "has_words_of_others"


def with_author(pattern: InteractionPattern, user_id: str) -> InteractionPattern:
    """Return a pattern that has taken over words of a user."""
    return pattern if user_id == pattern.user_id else with_words_of_others(pattern)


def with_words_of_others(pattern: InteractionPattern) -> InteractionPattern:
    """Return a pattern that holds words of others than its user."""
    return replace(pattern, metadata={**pattern.metadata, _SHARED: True})


def is_written_by(pattern: InteractionPattern, user_id: str) -> bool:
    """Say whether all words of a pattern are of this user."""
    return pattern.user_id == user_id and not pattern.metadata.get(_SHARED)


def make_pattern_text(text: str, chars_max: int = PATTERN_TEXT_CHARS_MAX) -> str:
    """Return a text as a pattern keeps it: scrubbed, with slots for values."""
    return fill_slots(scrub(text, chars_max))[:chars_max]


def is_advice(told: ClarificationQA | TracedDecision) -> bool:
    """Say whether a question and its answer may be kept: a person answered untainted words."""
    return told.by_person and not told.is_tainted


def describe_decision(decision: TracedDecision) -> str:
    """Write a decision as a pattern keeps it."""
    return make_pattern_text(f"{decision.context}: {decision.user_choice}")


def describe_correction(correction: Correction) -> str:
    """Write a correction as a pattern keeps it; empty if it says nothing."""
    if correction.text.strip():
        return make_pattern_text(correction.text)
    changed = [name for name in correction.changed_args if _ARGUMENT.fullmatch(name)]
    if not changed or not is_tool_name(correction.tool_name):
        return ""
    shown = ", ".join(changed[:PATTERN_ARGUMENTS_MAX])
    return f"A person changed {shown} of {correction.tool_name}."[:PATTERN_TEXT_CHARS_MAX]


def add_texts(known: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    """Return texts with new ones, each once; the oldest ones make room."""
    latest = dict.fromkeys(known)
    for text in filter(None, new):
        latest.pop(text, None)
        latest[text] = None
    return tuple(latest)[-PATTERN_CORRECTIONS_MAX:]


def is_tool_name(name: str) -> bool:
    """Say whether this is a name, and not a text in the place of one."""
    return _TOOL.fullmatch(name) is not None


def find_argument_types(args: Mapping[str, JsonValue]) -> dict[str, str]:
    """Return the names of arguments and the types of their values, never a value."""
    named = [(name, value) for name, value in args.items() if _ARGUMENT.fullmatch(name)]
    kept = named[:PATTERN_ARGUMENTS_MAX]
    return {name: _TYPES.get(type(value), "object") for name, value in kept}
