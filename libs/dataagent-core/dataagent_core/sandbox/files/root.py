"""`Root`: the files an agent works on, wherever they are.

`safe_root.SafeRoot` is a directory of this host, `remote_root.RemoteRoot` one of a remote machine.
Paths are those of the tools (`/a.txt` from the root). Every method blocks.
"""

from typing import Protocol

from dataagent_core.config.limits import FILE_BYTES_MAX
from dataagent_core.sandbox.files.file_node import DirectoryEntry, FileNode, WalkFilter, WalkResult
from dataagent_core.sandbox.files.file_write import ExpectedVersion


class Root(Protocol):
    """What may be seen and changed beneath a directory."""

    def open_directory(self, path: str = "/") -> int | None:
        """Open a directory for a program of this host; None where it is not on this host."""
        ...

    def list_dir(self, path: str = "/") -> list[DirectoryEntry]: ...

    def walk(self, path: str, wanted: WalkFilter) -> WalkResult: ...

    def stat(self, path: str) -> FileNode: ...

    def read_bytes(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> bytes: ...

    def read_version(
        self, path: str, max_bytes: int = FILE_BYTES_MAX
    ) -> tuple[bytes, FileNode]: ...

    def write_atomic(self, path: str, data: bytes, *, expected: ExpectedVersion = None) -> None: ...

    def unlink(self, path: str) -> None: ...

    def for_search(self) -> "Root":
        """Give what one search reads through; it looks at many files, each a moment old."""
        ...
