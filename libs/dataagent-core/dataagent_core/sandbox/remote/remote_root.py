"""`RemoteRoot`: the workspace on a machine elsewhere, for the same file tools as on this host.

Its files live there and nowhere else, so commands and file tools see the same ones. The machine is
the agent's own: links are followed, and nothing there rules or runs on this host.
"""

import base64
import posixpath
from dataclasses import astuple
from secrets import token_hex
from typing import Any

from dataagent_core.config.limits import FILE_BYTES_MAX, REMOTE_INLINE_BYTES_MAX, WALK_ENTRIES_MAX
from dataagent_core.errors import ConflictError, ToolExecutionError, ValidationError
from dataagent_core.sandbox.files.file_node import (
    DirectoryEntry,
    FileNode,
    FileVersion,
    WalkFilter,
    WalkResult,
)
from dataagent_core.sandbox.files.file_write import ExpectedVersion
from dataagent_core.sandbox.paths.tool_paths import check_path
from dataagent_core.sandbox.remote.file_requests import parse_node, send_file_request
from dataagent_core.sandbox.remote.remote_machine import RemoteMachine, make_unreachable_error

_SENT = "/tmp"  # noqa: S108 - on the machine, where nobody else is


class RemoteRoot:
    """What may be done in the folder a machine's commands start in. Every method blocks."""

    def __init__(self, machine: RemoteMachine) -> None:
        self._machine = machine

    def open_directory(self, path: str = "/") -> None:
        """Refuse with the reason what is no directory; there is none on this host."""
        if self.stat(path).kind != "dir":
            raise ValidationError(f"{path!r} is a file, not a directory.")

    def list_dir(self, path: str = "/") -> list[DirectoryEntry]:
        """List a directory in byte order of names."""
        found = send_file_request(
            self._machine, "entries", path, most=WALK_ENTRIES_MAX, follow=True
        )["entries"]
        return [entry_from(name, parse_node(node)) for name, node in found]

    def walk(self, path: str, wanted: WalkFilter) -> WalkResult:
        """Find the regular files beneath a directory."""
        return self.for_search().walk(path, wanted)

    def stat(self, path: str) -> FileNode:
        """See what is at a path, after links."""
        return parse_node(send_file_request(self._machine, "look", path)["node"])

    def read_bytes(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> bytes:
        """Read a whole file; one that is larger than `max_bytes` is refused, not cut."""
        return self.read_version(path, max_bytes)[0]

    def read_version(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> tuple[bytes, FileNode]:
        """Read a whole file, and what tells this version of it from the next."""
        answer = send_file_request(self._machine, "read", path, most=REMOTE_INLINE_BYTES_MAX)
        return self._content(path, answer, max_bytes), parse_node(answer["node"])

    def write_atomic(self, path: str, data: bytes, *, expected: ExpectedVersion = None) -> None:
        """Write a whole file or nothing, making its folders; `expected` refuses a changed one."""
        ready = self._machine.ready()
        source = f"{_SENT}/{token_hex(8)}"
        try:
            (sent,) = ready.backend.upload_files([(source, data)])
        except Exception as error:
            raise make_unreachable_error(self._machine.name, error) from error
        if sent.error is not None:
            raise ToolExecutionError(f"{path!r} could not be sent to the machine: {sent.error}.")
        version = list(astuple(expected)) if isinstance(expected, FileVersion) else expected
        answer = send_file_request(self._machine, "write", path, source=source, expected=version)
        if "changed" in answer:
            raise ConflictError(
                f"{path!r} was changed by someone else just now, so it was not written. Read it "
                "again, then decide."
            )

    def unlink(self, path: str) -> None:
        """Remove a file, or a link itself."""
        send_file_request(self._machine, "remove", path)

    def for_search(self) -> "RemoteRoot":
        """Give a look at the files that asks about many at once and remembers the answers."""
        from dataagent_core.sandbox.remote.remote_search import RemoteSearch

        return RemoteSearch(self._machine)

    def _content(self, path: str, answer: dict[str, Any], max_bytes: int) -> bytes:
        size = parse_node(answer["node"]).size_bytes
        if size > max_bytes:
            raise ValidationError(
                f"{path!r} has {size} bytes, more than the {max_bytes} read at once. Search it "
                "with grep, or cut out a part of it with the shell."
            )
        if "data" in answer:
            return base64.b64decode(answer["data"])
        ready = self._machine.ready()
        try:
            (fetched,) = ready.backend.download_files(
                [posixpath.join(ready.home, check_path(path))]
            )
        except Exception as error:
            raise make_unreachable_error(self._machine.name, error) from error
        if fetched.content is None:
            raise ToolExecutionError(f"{path!r} could not be fetched: {fetched.error}.")
        return fetched.content


def entry_from(name: str, node: FileNode) -> DirectoryEntry:
    """Make a line of a listing."""
    return DirectoryEntry(name, node.kind, node.size_bytes, node.mtime_ns)
