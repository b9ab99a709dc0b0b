"""What every event has in common.

An event is one fact of a run. The producer fills in its own fields; the log adds `event_id`,
`session_id`, `run_id` and `seq` when it takes the event, so these are absent until then. An event
of the agent itself has no `subagent_id`; `session/recorder.py` sets it on those of a sub-agent.

Reading is strict: `"5"` is not a number and `"yes"` is not a truth value, so that what is read is
what was written.
"""

import time
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar

from pydantic import ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema

LOG_FIELDS = ("event_id", "session_id", "run_id", "seq")
# Left out of the JSON where they are unset. `seq` is the last: stores put its number there.
_OPTIONAL_FIELDS = ("subagent_id", *LOG_FIELDS)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecutionEvent:
    """The base of the closed set; `codec.Event` is the union of its subclasses."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(strict=True, allow_inf_nan=False)

    event_type: str
    timestamp: float = field(default_factory=time.time)
    event_id: str | None = None
    session_id: str | None = None
    run_id: str | None = None
    seq: int | None = None
    # The task of the sub-agent that the event comes from; unset: the agent itself.
    subagent_id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the event as JSON values; log fields and `subagent_id` only where they are set."""
        data = {name: getattr(self, name) for name in field_names(type(self))}
        for name in _OPTIONAL_FIELDS:
            value = getattr(self, name)
            if value is not None:
                data[name] = value
        return data

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Accept a dict for an event although its fields are strict."""
        return {**handler(source), "strict": False}  # pyright: ignore[reportReturnType]


@cache
def field_names(cls: type[ExecutionEvent]) -> tuple[str, ...]:
    """Return the fields of an event class that every event of it has."""
    return tuple(f.name for f in fields(cls) if f.name not in _OPTIONAL_FIELDS)
