"""What a person types to see or change a work plan: `edit 3 TEXT`, `move 4 before 2`. Pure."""

from collections.abc import Callable
from typing import Any, Final

from dataagent_cli.messages import Messages
from dataagent_core.errors import ValidationError

# The words after `/plan` and `dataagent sessions plan S`, as text for people.
_WORDS: Final = (
    "show",
    "edit N TEXT",
    "skip N",
    "move N [before M]",
    "add [before M] TEXT",
    "assign N [AGENT]",
)
_BEFORE: Final = "before"
_NUMBER_CHARS_MAX: Final = 9

Change = dict[str, Any]


def parse_plan_words(text: str, say: Messages) -> Change | None:
    """Return the change of a plan as JSON values, or None if the plan is to be shown."""
    what, rest = _split_word(text)
    name = what.lower()
    if name in {"", "show"} and not rest:
        return None
    change = _PARSERS[name](rest, say) if name in _PARSERS else None
    if change is None:
        raise ValidationError(say("plan_bad_words", words=" | ".join(_WORDS)))
    return change


def _parse_edit(text: str, say: Messages) -> Change | None:
    number, description = _split_number(text, say)
    change = {"op": "edit", "step_number": number, "description": description}
    return change if description else None


def _parse_skip(text: str, say: Messages) -> Change | None:
    number, more = _split_number(text, say)
    return None if more else {"op": "skip", "step_number": number}


def _parse_move(text: str, say: Messages) -> Change | None:
    number, more = _split_number(text, say)
    before, more = _split_before(more, say)
    return None if more else {"op": "move", "step_number": number, "before": before}


def _parse_add(text: str, say: Messages) -> Change | None:
    before, description = _split_before(text, say)
    change = {"op": "add", "description": description, "before": before}
    return change if description else None


def _parse_assign(text: str, say: Messages) -> Change | None:
    """Without a name the step is for whoever is free."""
    number, agent = _split_number(text, say)
    change = {"op": "edit", "step_number": number, "assigned_agent": agent.removeprefix("@")}
    return None if " " in agent else change


_PARSERS: Final[dict[str, Callable[[str, Messages], Change | None]]] = {
    "edit": _parse_edit,
    "skip": _parse_skip,
    "move": _parse_move,
    "add": _parse_add,
    "assign": _parse_assign,
}


def _split_before(text: str, say: Messages) -> tuple[int | None, str]:
    """Split off `before M`; a text may begin with the word too, so a number must follow."""
    word, rest = _split_word(text)
    number, after = _split_word(rest)
    if word.lower() != _BEFORE or not _is_number(number):
        return None, text
    return _split_number(number, say)[0], after


def _split_number(text: str, say: Messages) -> tuple[int, str]:
    word, rest = _split_word(text)
    if not _is_number(word):
        raise ValidationError(say("plan_bad_number", number=word))
    return int(word.lstrip("#")), rest


def _is_number(word: str) -> bool:
    digits = word.lstrip("#")
    return digits.isascii() and digits.isdecimal() and len(digits) <= _NUMBER_CHARS_MAX


def _split_word(text: str) -> tuple[str, str]:
    parts = text.split(maxsplit=1)
    return (parts[0] if parts else ""), (parts[1].strip() if len(parts) > 1 else "")
