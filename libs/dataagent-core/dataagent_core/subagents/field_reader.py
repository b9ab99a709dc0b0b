"""Reads the fields of a sub-agent's file one by one; what is wrong becomes a warning.

Which fields there are, and what they mean, is in `subagent_file.py`.
"""

import re
from collections.abc import Mapping
from typing import Any, cast

from dataagent_core.config.files.front_matter import FieldPlace

# A name, with a pattern in parentheses behind it if there is one: `Bash(git diff:*)`.
_WORD = re.compile(r"[^\s,()]+(?:\([^)]{0,400}\))?")


class FieldReader:
    """The fields that nobody has asked for yet, and the warnings so far."""

    def __init__(self, fields: Mapping[str, Any], places: Mapping[str, FieldPlace]) -> None:
        self._fields = dict(fields)
        self._places = places
        self._taken: set[str] = set()
        self.warnings: list[str] = []

    def __contains__(self, key: str) -> bool:
        return self._fields.get(key) is not None

    def take(self, *keys: str) -> Any:
        """Take the first field of these names that has a value."""
        found = self.take_all(*keys)
        if self._differ(found):
            first, other, *_ = found
            self.warn(other, f"{other!r} means the same as {first!r}; only {first!r} counts.")
        return next(iter(found.values()), None)

    def take_all(self, *keys: str) -> dict[str, Any]:
        """Take every field of these names that has a value."""
        self._taken.update(keys)
        found = {key: self._fields.pop(key, None) for key in keys}
        return {key: value for key, value in found.items() if value is not None}

    def was_taken(self, key: str) -> bool:
        """Return whether a field of this name means something here."""
        return key in self._taken

    def take_limit(self, *keys: str) -> Any:
        """Take a field that limits the sub-agent; two that differ allow nothing."""
        found = self.take_all(*keys)
        if self._differ({key: _list_names(value) for key, value in found.items()}):
            first, other, *_ = found
            self.warn(
                other,
                f"{first!r} and {other!r} mean the same and differ; nothing is allowed. Keep one "
                "of them.",
            )
            return []
        return next(iter(found.values()), None)

    def _differ(self, found: Mapping[str, Any]) -> bool:
        first = next(iter(found.values()), None)
        return any(value != first for value in found.values())

    def nested(self, key: str) -> "FieldReader":
        """Take the fields inside of a field; their place is that field's."""
        value = self.take(key)
        if value is not None and not isinstance(value, dict):
            self.warn(key, f"{key!r} must hold fields of its own; it is ignored.")
        table = cast("dict[object, Any]", value if isinstance(value, dict) else {})
        fields = {str(name): inner for name, inner in table.items()}
        place = self._places.get(key)
        return FieldReader(fields, {} if place is None else dict.fromkeys(fields, place))

    def text(self, *keys: str) -> str:
        """Take a text; a number or a date is read as it is written."""
        value = self.take(*keys)
        if isinstance(value, list | dict):
            self.warn(keys[0], f"{keys[0]!r} must be a text; it is ignored.")
            return ""
        return "" if value is None else str(value).strip()

    def texts(self, *keys: str) -> tuple[str, ...]:
        """Take a list of texts."""
        value = self.take(*keys)
        if value is None:
            return ()
        found = cast("list[object]", value) if isinstance(value, list) else [value]
        if any(isinstance(one, list | dict) for one in found):
            self.warn(keys[0], f"{keys[0]!r} must be a list of texts; it is ignored.")
            return ()
        return tuple(text for one in found if (text := str(one).strip()))

    def names(self, *keys: str) -> tuple[str, ...] | None:
        """Take a list of names, or names with commas between them; `None` when not there."""
        return self.split(self.take_limit(*keys), keys[0])

    def split(self, value: object, key: str) -> tuple[str, ...] | None:
        """Read a list of names from a value that was taken before.

        What is no list is an empty one: these lists limit a sub-agent, and one that is ignored
        would give it everything.
        """
        if value is None:
            return None
        if isinstance(value, str):
            return tuple(dict.fromkeys(_WORD.findall(value)))
        found = cast("list[object]", value) if isinstance(value, list) else [value]
        names = [one for one in found if isinstance(one, str)]
        if len(names) < len(found):
            wrong = next(one for one in found if not isinstance(one, str))
            self.warn(key, f"{key!r} must be a list of names; {str(wrong)!r:.60} is none.")
        return tuple(dict.fromkeys(text for one in names if (text := one.strip())))

    def number(self, *keys: str, least: float, most: float) -> float | None:
        """Take a number between two bounds."""
        value = self.take(*keys)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not least <= value <= most:
            self.warn(
                keys[0],
                f"{keys[0]!r} is {str(value)!r:.60}, not a number from {least:g} to {most:g}; it "
                "is ignored.",
            )
            return None
        return float(value)

    def whole_number(self, *keys: str, most: int) -> int | None:
        """Take a whole number of at least 1."""
        value = self.number(*keys, least=1, most=most)
        if value is not None and not value.is_integer():
            self.warn(keys[0], f"{keys[0]!r} is {value:g}, not a whole number; it is ignored.")
            return None
        return None if value is None else int(value)

    def flag(self, *keys: str) -> bool | None:
        """Take `true` or `false`."""
        value = self.take(*keys)
        if value is None or isinstance(value, bool):
            return value
        self.warn(keys[0], f"{keys[0]!r} is {str(value)!r:.60}, not true or false; it is ignored.")
        return None

    def find_place(self, key: str) -> FieldPlace:
        """Find where a field stands; the beginning for a field that is not there."""
        return self._places.get(key, FieldPlace(1, 1))

    def warn(self, key: str, sentence: str, place: FieldPlace | None = None) -> None:
        """Add a warning about a field, with its place or that of its value."""
        place = place or self._places.get(key)
        if place is not None:
            sentence = f"line {place.line}, column {place.column}: {sentence}"
        self.warnings.append(sentence)

    def warn_of_unknown(self) -> None:
        """Warn about the fields that nobody took."""
        for key in self._fields:
            self.warn(key, f"{key!r} means nothing here; it is ignored.")


def _list_names(value: object) -> object:
    """Give the names of a list, however it is written; anything else as it is."""
    if isinstance(value, str):
        return set(_WORD.findall(value))
    found = cast("list[object]", value) if isinstance(value, list) else []
    return set(found) if found and all(isinstance(one, str) for one in found) else value
