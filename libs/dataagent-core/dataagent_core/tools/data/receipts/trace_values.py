"""The values that the parts of tracing exchange; imports nothing heavy."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceResult:
    """The figures of a text with a source, and those without, as the `text` event carries them."""

    figures: list[JsonValue] = field(default_factory=list[JsonValue])
    unsourced: list[JsonValue] = field(default_factory=list[JsonValue])


@dataclass(frozen=True, slots=True, kw_only=True)
class UserStatements:
    """What the user wrote in a session, newest last, and the data there is to query."""

    said: Sequence[str] = ()
    has_source: bool = False
    # A message brought a file or a picture along.
    attached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """What a tool other than a query returned."""

    tool_name: str
    tool_call_id: str
    text: str
