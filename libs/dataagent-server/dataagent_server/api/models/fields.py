"""The kinds of values a request may carry, each with its bounds.

NUL is refused everywhere: PostgreSQL cannot store it, and no person means it.
"""

import math
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from pydantic import AfterValidator, AwareDatetime, StringConstraints

from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.language.unicode_text import storable

ID_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
_NAME_CHARS_MAX: Final = 200
# MySQL stores no earlier one.
_STORED_YEAR_MIN: Final = 1000
_TEXT_CHARS_MAX: Final = 10_000
# Writing an answer is recursive.
_JSON_DEEP_MAX: Final = 64


def without_nul(text: str) -> str:
    """Refuse the one character a database cannot hold."""
    if "\x00" in text:
        message = "it holds the character NUL, which cannot be stored"
        raise ValueError(message)
    return text


def _to_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        message = "it is before the year 1 or after 9999 in UTC"
        raise ValueError(message) from None


def _storable_moment(moment: datetime) -> datetime:
    if moment.year < _STORED_YEAR_MIN:
        message = f"it is before the year {_STORED_YEAR_MIN}"
        raise ValueError(message)
    return moment


def plain_json(value: dict[str, Any]) -> dict[str, Any]:
    """Refuse what Python reads as JSON and no answer can give back."""
    waiting: list[tuple[Any, int]] = [(value, 1)]
    while waiting:
        one, deep = waiting.pop()
        inner: list[Any] = []
        match one:
            case str() if storable(one) is not one:
                message = f"it holds half a character (a lone surrogate) in {one[:40]!r}"
                raise ValueError(message)
            case float() if not math.isfinite(one):
                message = f"it holds {one}, which is no number in JSON"
                raise ValueError(message)
            case dict():
                inner = [*one.keys(), *one.values()]
            case list():
                inner = one
            case _:
                pass
        if inner and deep >= _JSON_DEEP_MAX:
            message = f"it is nested more than {_JSON_DEEP_MAX} deep"
            raise ValueError(message)
        waiting += [(each, deep + 1) for each in inner]
    return value


# A moment with its time zone, in UTC; and one that every database can store.
Moment = Annotated[AwareDatetime, AfterValidator(_to_utc)]
StoredMoment = Annotated[Moment, AfterValidator(_storable_moment)]
# Whatever a person keeps; a database and an answer can hold it.
JsonObject = Annotated[dict[str, Any], AfterValidator(plain_json)]
ChosenId = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=_NAME_CHARS_MAX, strip_whitespace=True),
    AfterValidator(without_nul),
]
# Empty: none of one's own choice.
ModelName = Annotated[
    str,
    StringConstraints(max_length=_NAME_CHARS_MAX, strip_whitespace=True),
    AfterValidator(without_nul),
]
Text = Annotated[str, StringConstraints(max_length=_TEXT_CHARS_MAX), AfterValidator(without_nul)]
Prompt = Annotated[
    str, StringConstraints(min_length=1, max_length=PROMPT_CHARS_MAX), AfterValidator(without_nul)
]
