"""The fields of a skill, read leniently from front matter: S2's at the top or in `metadata`.

A value that cannot be read is left at its default, with a warning that names the field. The rules
that a value must keep are in `skill_check.py`.
"""

import json
import math
import re
from collections.abc import Iterable
from typing import Any, Final, get_args

from dataagent_core.config.files.front_matter import FrontMatter
from dataagent_core.language.unicode_text import storable
from dataagent_core.skills.skill import SkillStatus, SkillTrigger, TriggerPattern, TriggerType
from dataagent_core.skills.source import SkillProblem
from dataagent_core.skills.tool_names import (
    map_step_name,
    map_tool_names,
    split_tool_names,
)

# The standard's, at the top; `skills-ref` refuses any other there.
STANDARD_FIELDS: Final = (
    "name",
    "description",
    "license",
    "compatibility",
    "allowed-tools",
    "metadata",
)
_ALLOWED_TOOLS: Final = "allowed-tools"
# S2's and ours, written inside `metadata`.
OWN_FIELDS: Final = (
    "display_name",
    "summary",
    "category",
    "tags",
    "trigger_type",
    "triggers",
    "trigger_patterns",
    "version",
    "status",
    "tools",
    "always_offered",
    "requires_tools",
)
# Those of the steps, kept in `metadata` as JSON: numbers in them are numbers.
STEP_FIELDS: Final = ("execution_template", "fallback_alternatives")
# Text, a list, a mapping, or `None` where nothing is written.
FieldValue = str | list[Any] | dict[str, Any] | None
_TRUE: Final = frozenset({"true", "yes", "on", "1"})
_FALSE: Final = frozenset({"false", "no", "off", "0"})


def _spell(key: str) -> str:
    """Write a key without what people spell in different ways: `allowedTools`, `allowed_tools`."""
    return re.sub("[-_ ]", "", key.lower())


_BY_SPELLING: Final = {_spell(field): field for field in STANDARD_FIELDS if field != "metadata"}


class SkillFields:
    """Gives the fields of one front matter and collects what was odd about them."""

    def __init__(self, front: FrontMatter, name: str) -> None:
        self._front = front
        self._name = name
        self.problems: list[SkillProblem] = []
        self._own: dict[str, FieldValue] = {}
        self._standard: dict[str, FieldValue] = {}
        # How the file spells them.
        self._keys: dict[str, str] = {}
        # What is of neither kind; nothing of it is lost.
        self.metadata: dict[str, str] = {}
        self._sort_out()
        for field in front.repaired:
            self.warn(
                field, f"The value of {field!r} needs quotes and has none; it is read as text."
            )

    def _sort_out(self) -> None:
        inner = self._front.fields.get("metadata")
        if inner is not None and not isinstance(inner, dict):
            self.warn("metadata", "`metadata` must be keys and values; it is left out.")
        for key, value in (inner or {}).items() if isinstance(inner, dict) else ():
            self._take_own(key, value, outer=False)
        for key, value in self._front.fields.items():
            if key == "metadata":
                continue
            plain = _BY_SPELLING.get(_spell(key))
            if plain is None:
                self._take_own(key, value, outer=True)
            else:
                self._take_standard(key, plain, value)

    def _take_standard(self, key: str, plain: str, value: FieldValue) -> None:
        if key != plain and plain in self._front.fields:
            self.warn(key, f"{key!r} is another spelling of {plain!r}, which counts.")
            return
        if key.replace("_", "-") != plain:
            self.warn(key, f"The key {key!r} is read as {plain!r}. Other programs pass over it.")
        self._standard[plain] = value
        self._keys[plain] = key

    def _take_own(self, key: str, value: FieldValue, *, outer: bool) -> None:
        plain = key.replace("-", "_")
        if plain in OWN_FIELDS:
            if outer and plain in self._own:
                self.warn(key, f"{key!r} is written at the top and in `metadata`: the top counts.")
            self._own[plain] = value
            return
        if outer:
            self.warn(key, f"The key {key!r} is not one of a skill; it is kept in `metadata`.")
        elif _spell(key) == _spell(_ALLOWED_TOOLS):
            self.warn("metadata", f"{key!r} has no effect inside `metadata`. Write it at the top.")
        self.metadata[key] = value if isinstance(value, str) else _write_json(value)

    @property
    def named(self) -> frozenset[str]:
        """The fields that are written, at the top or in `metadata`, also with no value."""
        return frozenset((*self._standard, *self._own))

    def warn(self, field: str, message: str) -> None:
        """Note something odd about a field."""
        line, column = self.place_of(field)
        self.problems.append(
            SkillProblem(
                name=self._name,
                message=message,
                line=line,
                column=column,
                is_warning=True,
                field=field,
            )
        )

    def place_of(self, field: str) -> tuple[int | None, int | None]:
        """Say where a field stands: at the top or, inside `metadata`, where that does."""
        places = self._front.places
        spelled = self._keys.get(field, field)
        keys = (spelled, field, field.replace("_", "-"), field.replace("-", "_"))
        for key in (*keys, *(f"metadata.{key}" for key in keys)):
            if key in places:
                return places[key]
        return None, None

    def text(self, field: str, default: str = "") -> str:
        """Read one text; a list is joined with commas."""
        value = self._standard.get(field, self._own.get(field))
        if isinstance(value, str):
            return value.strip() or default
        if isinstance(value, list):
            return ", ".join(_texts(value)) or default
        if value is not None:
            self.warn(field, f"{field!r} must be text; it is left out.")
        return default

    def optional_text(self, field: str) -> str | None:
        """Read a text that may be missing."""
        return self.text(field) or None

    def texts(self, field: str) -> tuple[str, ...]:
        """Read a list: as YAML, as JSON in a text, or separated by commas."""
        return tuple(dict.fromkeys(_texts(self._items(field))))

    def tool_names(self, field: str) -> tuple[str, ...] | None:
        """Read a list of tools under our names; `None` if nothing is written."""
        written = self._tools(field)
        if written is None:
            return None
        return tuple(dict.fromkeys(name for one in written for name in map_tool_names(one)))

    def step_names(self, field: str) -> tuple[str, ...]:
        """Read tools that run in this order; one may run twice."""
        return tuple(map(map_step_name, self._tools(field) or ()))

    def _tools(self, field: str) -> list[str] | None:
        value = self._standard.get(field, self._own.get(field))
        if value is None:
            return None
        if not isinstance(value, str):
            return _texts(self._items(field))
        try:
            listed = json.loads(value) if value.lstrip().startswith("[") else None
        except (ValueError, RecursionError):
            listed = None
        if isinstance(listed, list):
            return _texts(listed)
        # "[Read, 'Bash']": a list of YAML in quotes.
        names = split_tool_names(value.strip().removeprefix("[").removesuffix("]"))
        return [name.strip("'\"") for name in names]

    def flag(self, field: str) -> bool:
        """Read `true` or `false`."""
        word = self.text(field).lower()
        if word and word not in _TRUE | _FALSE:
            self.warn(field, f"{field!r} must be true or false, not {word!r:.40}; it is false.")
        return word in _TRUE

    def status(self) -> SkillStatus:
        """Read whether the skill is in use."""
        word = self.text("status", "active")
        for known in get_args(SkillStatus):
            if word.lower() == known:
                return known
        self.warn(
            "status",
            f"There is no status {word!r:.40}; it is taken as active. Write active, disabled or "
            "deprecated.",
        )
        return "active"

    def trigger(self) -> SkillTrigger:
        """Read when the skill is offered."""
        word = self.text("trigger_type", "hybrid")
        kind: TriggerType = "hybrid"
        for known in get_args(TriggerType):
            if word.lower() == known:
                kind = known
                break
        else:
            self.warn(
                "trigger_type",
                f"There is no trigger type {word!r:.40}; hybrid is used. Write keyword, semantic "
                "or hybrid.",
            )
        patterns = [self._pattern(item) for item in self._items("trigger_patterns")]
        return SkillTrigger(
            type=kind,
            phrases=self.texts("triggers"),
            patterns=tuple(dict.fromkeys(one for one in patterns if one is not None)),
        )

    def _pattern(self, item: Any) -> TriggerPattern | None:
        if isinstance(item, str):
            return TriggerPattern(pattern=item.strip()) if item.strip() else None
        pattern = item.get("pattern") if isinstance(item, dict) else None
        if not isinstance(pattern, str) or not pattern.strip():
            self.warn("trigger_patterns", "A trigger pattern without `pattern` is left out.")
            return None
        return TriggerPattern(pattern=pattern.strip(), weight=self._weight(item.get("weight")))

    def _weight(self, written: Any) -> float:
        if written is None:
            return 1.0
        try:
            weight = float(written)
        except (TypeError, ValueError):
            weight = math.nan
        if not math.isfinite(weight):
            self.warn("trigger_patterns", f"The weight {written!r:.40} is not a number; 1 is used.")
            return 1.0
        return weight

    def _items(self, field: str) -> list[Any]:
        value = self._standard.get(field, self._own.get(field))
        if value is None:
            return []
        if isinstance(value, dict):
            return [value]
        if isinstance(value, list):
            return value
        if value.lstrip().startswith("["):
            return self._json_items(field, value)
        return value.replace("\N{FULLWIDTH COMMA}", ",").split(",")

    def _json_items(self, field: str, written: str) -> list[Any]:
        try:
            items: list[Any] = storable(json.loads(written))
        except (ValueError, RecursionError):
            self.warn(field, f"{field!r} begins like a JSON list and is none; it is left out.")
            return []
        if _has_nul(items):
            self.warn(field, f"{field!r} writes the character NUL; it is left out.")
            return []
        return items


def _has_nul(value: Any) -> bool:
    """Say whether a text in JSON has the character that no database holds."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) and "\0" in one:
            return True
        if isinstance(one, dict):
            waiting += one.keys()
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return False


def _texts(items: Iterable[Any]) -> list[str]:
    texts = (item if isinstance(item, str) else _write_json(item) for item in items)
    return [text.strip() for text in texts if text.strip()]


def _write_json(value: object) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)
