"""What a call did to a file."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from dataagent_core.events.base import ExecutionEvent


@dataclass(frozen=True, kw_only=True, slots=True)
class FileOperationEvent(ExecutionEvent):
    """A read, write, edit or delete, with its line counts and, when it changed text, the diff.

    What a command changed comes one by one too; `more` then counts the changes beyond a limit.
    """

    event_type: Literal["file_operation"] = "file_operation"
    operation: str = ""
    file_path: str = ""
    metrics: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    diff: str | None = None
    status: str = "success"
