"""Answers of a server without random values, so that those of two users can be compared."""

import re
from typing import Any, Final

# Ids of ours, those of keys, and those of the engine's states.
_ID: Final = re.compile(
    r"(?<![0-9a-f])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{12})"
    r"(?![0-9a-f])"
)
# How long somebody still has to wait, in a sentence.
_WAIT: Final = re.compile(r"next try in \d+ s")
# Moments, durations and secrets: different each time, whoever asks.
_FITS: Final = frozenset({"score", "relevance", "legs"})
_LEFT_OUT: Final = frozenset(
    {
        "timestamp",
        "last_active",
        "duration_ms",
        "total_duration_ms",
        "request_id",
        "secret",
        "prefix",
        "csrf_token",
        "took_ms",
        "valid_from",
    }
)


class Plain:
    """Names random ids by the order in which one person met them, and leaves times out."""

    def __init__(self, known: dict[str, str]) -> None:
        self._known = known
        self._names: dict[str, str] = {}

    @property
    def ids(self) -> list[str]:
        """Every random id this person was told."""
        return list(self._names)

    def of(self, value: Any) -> Any:
        match _leave_out(value):
            case dict(value):
                return {
                    # Where a list goes on is told by a moment, too.
                    key: bool(one) if key == "next" else self.of(one)
                    for key, one in value.items()
                    if key not in _LEFT_OUT and not key.endswith("_at")
                }
            case list():
                return [self.of(one) for one in value]
            case str():
                return self.text(value)
            case _:
                return value

    def text(self, text: str) -> str:
        for written, name in self._known.items():
            text = text.replace(written, name)
        text = _WAIT.sub("next try in a while", text)
        return _ID.sub(lambda found: self._name(found.group()), text)

    def _name(self, random_id: str) -> str:
        return self._names.setdefault(random_id, f"<{len(self._names)}>")


def _leave_out(value: Any) -> Any:
    """Leave out what depends on every word of a message, so on a person's secret too."""
    match value:
        # The scores of a skill.
        case {"event_type": "skill", "detail": _}:
            return {key: one for key, one in value.items() if key != "detail"}
        case {"type": "skill_matched", "data": _}:
            return {key: one for key, one in value.items() if key != "data"}
        # How well memories fit, and their order.
        case {"memories": [{"relevance": _}, *_] as memories}:
            told = [{k: v for k, v in one.items() if k not in _FITS} for one in memories]
            return value | {"memories": sorted(told, key=lambda one: str(one["content"]))}
        case _:
            return value
