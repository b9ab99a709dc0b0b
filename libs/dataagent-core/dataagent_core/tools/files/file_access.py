"""`FileAccess`: what every file tool uses, the mounts of the agent and its read ledger.

`RefusedEdits` remembers edits that were refused once as dangerous, and are applied when requested
again. It lives as long as the process: after a restart such an edit is refused once more, which
costs one call.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from pydantic import Field

from dataagent_core.config.limits import EDIT_REFUSALS_MAX, FILE_BYTES_MAX
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.sandbox.files.file_node import FileVersion
from dataagent_core.tools.files.edits.edit_application import Edit
from dataagent_core.tools.files.mounts import MountedPath, Mounts
from dataagent_core.tools.files.read_ledger import FileSighting, ReadLedger


class RefusedEdits:
    """The refused edits of one session."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._keys: dict[str, None] = {}

    def is_repeated(self, path: str, text: str, edits: Sequence[Edit]) -> bool:
        """Say whether the same edits of the same text were refused before; else remember them."""
        key = _key(path, text, edits)
        with self._lock:
            if key in self._keys:
                del self._keys[key]
                return True
            self._keys[key] = None
            if len(self._keys) > EDIT_REFUSALS_MAX:
                del self._keys[next(iter(self._keys))]
        return False


def _key(path: str, text: str, edits: Sequence[Edit]) -> str:
    parts = [path, text, *([edit.old, edit.new, edit.replace_all] for edit in edits)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


# What a tool gives back: the text for the model or blocks of content, and what the ledger learned.
FileAnswer = tuple[str | list[dict[str, Any]], FileSighting | None]


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file as it was just read."""

    data: bytes
    version: FileVersion


@dataclass(frozen=True, slots=True, repr=False)
class FileAccess:
    """Reads and changes files on behalf of the tools."""

    mounts: Mounts
    ledger: ReadLedger
    refused: RefusedEdits = field(default_factory=RefusedEdits)

    def read_current(self, place: MountedPath) -> FileContent | None:
        """Read what a file holds now, `None` if there is none."""
        try:
            data, node = place.root.read_version(place.path)
        except NotFoundError:
            return None
        return FileContent(data, node.version)

    def read_seen(self, place: MountedPath) -> FileContent:
        """Read a file that is to be changed; it must be there and be what the agent saw."""
        content = self.read_current(place)
        if content is None:
            raise NotFoundError(f"There is no {place.display_path!r}. Use write_file to make it.")
        self.ledger.check(place.display_path, content.data)
        return content

    def write(self, place: MountedPath, data: bytes, before: FileContent | None) -> FileSighting:
        """Write a whole file, unless it is no longer what it was `before`."""
        if len(data) > FILE_BYTES_MAX:
            raise ValidationError(
                f"{place.display_path!r} would have {len(data)} bytes, more than the "
                f"{FILE_BYTES_MAX} a file tool writes. Write it in parts, or with a program."
            )
        expected = before.version if before else "absent"
        place.root.write_atomic(place.path, data, expected=expected)
        return self.ledger.record(place.display_path, data)


FILE_PATH: Any = Field(description="In the workspace: src/a.py, /src/a.py or its full path")
