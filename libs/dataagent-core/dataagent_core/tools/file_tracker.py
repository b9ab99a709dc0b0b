"""Sees what a file tool did: line counts and a unified diff, from the bytes before and after."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from langchain_core.messages import ToolMessage

from dataagent_core.tools.output.file_diff import compare_file

# The tool numbers what it read; the last line says whether there is more.
_NUMBERED_LINE = re.compile(r"^\s*\d+\t", re.MULTILINE)

OPERATIONS = {
    "read_file": "read",
    "write_file": "write",
    "edit_file": "edit",
    "multi_edit": "edit",
    "delete_file": "delete",
}


class _FileDownload(Protocol):
    @property
    def content(self) -> bytes | None: ...


class FileSource(Protocol):
    """The part of a file backend the tracker needs."""

    def download_files(self, paths: list[str]) -> Sequence[_FileDownload]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOpRecord:
    """One finished file operation."""

    tool_name: str
    operation: str
    display_path: str
    metrics: dict[str, int]
    diff: str | None
    status: str


@dataclass(frozen=True, slots=True)
class _StartedOperation:
    tool_name: str
    path: str
    before: bytes | None


@dataclass(slots=True, eq=False)
class FileOpTracker:
    """Follows file tools from start to result; it blocks, so call it off the event loop."""

    backend: FileSource
    assistant_id: str | None = None
    _started: dict[str, _StartedOperation] = field(
        default_factory=dict[str, _StartedOperation], init=False
    )

    def start_operation(self, tool_name: str, args: Mapping[str, Any], tool_call_id: str) -> None:
        """Remember what the file held before the call."""
        path = args.get("file_path")
        if tool_name not in OPERATIONS or not isinstance(path, str):
            return
        before = None if tool_name == "read_file" else self._content(path)
        self._started[tool_call_id] = _StartedOperation(tool_name, path, before)

    def complete_with_message(self, message: ToolMessage) -> FileOpRecord | None:
        """Compare with what the file holds now; `None` if the call was not a file operation."""
        started = self._started.pop(message.tool_call_id, None)
        if started is None:
            return None
        diff: str | None = None
        metrics: dict[str, int] = {}
        if message.status != "error":
            if started.tool_name == "read_file":
                metrics = {"lines_read": len(_NUMBERED_LINE.findall(message.text))}
            else:
                after = self._content(started.path)
                metrics, diff = compare_file(started.path, started.before or b"", after or b"")
        return FileOpRecord(
            tool_name=started.tool_name,
            operation=OPERATIONS[started.tool_name],
            display_path=started.path,
            metrics=metrics,
            diff=diff,
            status=message.status,
        )

    def _content(self, path: str) -> bytes | None:
        try:
            return self.backend.download_files([path])[0].content
        except (OSError, ValueError):
            # The path is the model's. Whether it can be used is for the tool to say.
            return None
