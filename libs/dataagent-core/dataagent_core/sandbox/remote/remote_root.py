"""The workspace on a remote machine, for the same file tools as on this host.

Its files exist only there, so commands and file tools see the same ones. The machine is the agent's
own: links are followed, and nothing there rules or runs on this host.

A file request is one command that runs `remote_program.py` for many paths. `RemoteSearch`, the view
of one `glob` or `grep`, needs tens of requests instead of thousands: it lists folders a level at a
time, reads files together with those that come next, and caches the answers.
"""

import base64
import json
import os
import posixpath
import shlex
from collections.abc import Sequence
from dataclasses import astuple
from functools import cache
from importlib.resources import files
from secrets import token_hex
from typing import Any, Literal

from dataagent_core.config.limits import (
    FILE_BYTES_MAX,
    REMOTE_FILES_S,
    REMOTE_FOLDERS_MAX,
    REMOTE_INLINE_BYTES_MAX,
    WALK_DEEP_MAX,
    WALK_ENTRIES_MAX,
)
from dataagent_core.errors import ConflictError, NotFoundError, ToolExecutionError, ValidationError
from dataagent_core.sandbox.files.file_node import (
    DirectoryEntry,
    FileNode,
    FileVersion,
    WalkFilter,
    WalkResult,
)
from dataagent_core.sandbox.files.file_write import ExpectedVersion
from dataagent_core.sandbox.files.path_errors import translate_os_error
from dataagent_core.sandbox.paths.tool_paths import PathParts, check_path, format_path, split_path
from dataagent_core.sandbox.remote.remote_machine import RemoteMachine, make_unreachable_error

_UPLOAD_FOLDER = "/tmp"  # noqa: S108 - on the machine, where nobody else is


FileOperation = Literal["look", "entries", "read", "write", "remove"]


Answer = dict[str, Any]


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
        return [make_entry(name, parse_node(node)) for name, node in found]

    def walk(self, path: str, wanted: WalkFilter) -> WalkResult:
        """Find the regular files beneath a directory."""
        return self.for_search().walk(path, wanted)

    def stat(self, path: str) -> FileNode:
        """Read the metadata of a path, after links."""
        return parse_node(send_file_request(self._machine, "look", path)["node"])

    def read_bytes(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> bytes:
        """Read a whole file; one that is larger than `max_bytes` is refused, not cut."""
        return self.read_version(path, max_bytes)[0]

    def read_version(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> tuple[bytes, FileNode]:
        """Read a whole file and its version."""
        answer = send_file_request(self._machine, "read", path, most=REMOTE_INLINE_BYTES_MAX)
        return self._read_content(path, answer, max_bytes), parse_node(answer["node"])

    def write_atomic(self, path: str, data: bytes, *, expected: ExpectedVersion = None) -> None:
        """Write a whole file or nothing, making its folders; `expected` refuses a changed one."""
        ready = self._machine.ready()
        source = f"{_UPLOAD_FOLDER}/{token_hex(8)}"
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
        """Give a view that requests many files at once and caches the answers."""
        return RemoteSearch(self._machine)

    def _read_content(self, path: str, answer: dict[str, Any], max_bytes: int) -> bytes:
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


class RemoteSearch(RemoteRoot):
    """The files of a machine as one search saw them."""

    def __init__(self, machine: RemoteMachine) -> None:
        super().__init__(machine)
        self._nodes: dict[PathParts, FileNode] = {}
        self._listed: set[PathParts] = set()
        self._found: list[PathParts] = []
        self._read: dict[PathParts, dict[str, Any]] = {}

    def walk(self, path: str, wanted: WalkFilter) -> WalkResult:
        """Find the regular files beneath a directory, in byte order of paths; enters no link."""
        level, seen, files = [split_path(path)], 0, list[PathParts]()
        for _ in range(WALK_DEEP_MAX + 1):
            below: list[PathParts] = []
            for parts, node in self._list_entries(level):
                if not wanted(parts, node.kind):
                    continue
                seen += 1
                if seen > WALK_ENTRIES_MAX:
                    return self._make_result(files, complete=False)
                if node.kind in {"file", "dir"}:
                    (files if node.kind == "file" else below).append(parts)
            if not below:
                break
            level = below
        return self._make_result(files, complete=True)

    def stat(self, path: str) -> FileNode:
        """Read the metadata of a path."""
        known = self._nodes.get(split_path(path))
        return known if known is not None and known.kind != "link" else super().stat(path)

    def read_bytes(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> bytes:
        """Read a whole file, and with it those a search will want next."""
        parts = split_path(path)
        if parts not in self._read:
            if parts[:-1] in self._listed and parts not in self._nodes:
                raise NotFoundError(f"There is no {path!r}. Look with ls or glob.")
            batch = self._list_next_files(parts)
            self._read = dict(zip(batch, self._send_requests("read", batch), strict=True))
        answer = self._read.pop(parts)
        if "errno" in answer:
            return super().read_bytes(path, max_bytes)
        return self._read_content(path, answer, max_bytes)

    def _list_entries(self, folders: list[PathParts]) -> list[tuple[PathParts, FileNode]]:
        found: list[tuple[PathParts, FileNode]] = []
        for first in range(0, len(folders), REMOTE_FOLDERS_MAX):
            some = folders[first : first + REMOTE_FOLDERS_MAX]
            for folder, answer in zip(some, self._send_requests("entries", some), strict=True):
                if "entries" not in answer:
                    continue  # gone by now, or forbidden
                self._listed.add(folder)
                found += [((*folder, name), parse_node(node)) for name, node in answer["entries"]]
        self._nodes.update(found)
        return found

    def _make_result(self, files: list[PathParts], *, complete: bool) -> WalkResult:
        self._found = sorted(files, key=lambda parts: [os.fsencode(name) for name in parts])
        return WalkResult(tuple(self._found), complete)

    def _list_next_files(self, parts: PathParts) -> list[PathParts]:
        batch, left_bytes = [parts], REMOTE_INLINE_BYTES_MAX
        start = self._found.index(parts) + 1 if parts in self._found else len(self._found)
        for following in self._found[start : start + REMOTE_FOLDERS_MAX]:
            left_bytes -= self._nodes[following].size_bytes
            if left_bytes < 0:
                break
            batch.append(following)
        return batch

    def _send_requests(self, work: FileOperation, paths: list[PathParts]) -> list[dict[str, Any]]:
        options: dict[str, Any] = (
            {"most": REMOTE_INLINE_BYTES_MAX}
            if work == "read"
            else {"most": WALK_ENTRIES_MAX, "follow": False}
        )
        return send_file_requests(
            self._machine, work, [format_path(parts) for parts in paths], **options
        )


def make_entry(name: str, node: FileNode) -> DirectoryEntry:
    """Make a line of a listing."""
    return DirectoryEntry(name, node.kind, node.size_bytes, node.mtime_ns)


def send_file_request(
    machine: RemoteMachine, work: FileOperation, path: str, **options: Any
) -> Answer:
    """Ask about one path; what the kernel there refused is raised."""
    (answer,) = send_file_requests(machine, work, [path], **options)
    if "errno" in answer:
        raise translate_os_error(OSError(answer["errno"], ""), path)
    return answer


def send_file_requests(
    machine: RemoteMachine, work: FileOperation, paths: Sequence[str], **options: Any
) -> list[Answer]:
    """Have the program there do something with each of the paths. Blocks."""
    ready = machine.ready()
    wanted = {
        "work": work,
        "paths": [posixpath.join(ready.home, check_path(path)) for path in paths],
        "options": options,
    }
    sent = base64.b64encode(json.dumps(wanted).encode()).decode()
    try:
        response = ready.backend.execute(f"{_build_command()} {sent}", timeout=REMOTE_FILES_S)
    except Exception as error:
        raise make_unreachable_error(machine.name, error) from error
    lines = response.output.strip().split("\n")
    try:
        return json.loads(lines[-1])
    except ValueError as error:
        raise ToolExecutionError(
            "The machine cannot be asked about its files; it said "
            f"{response.output!r:.300}. File tools need python3 there; shell does not."
        ) from error


def parse_node(found: list[Any]) -> FileNode:
    """Parse the program's answer about a file."""
    kind, mode, links, version = found
    return FileNode(kind, mode, links, FileVersion(*version))


@cache
def _build_command() -> str:
    program = (
        files("dataagent_core.sandbox.remote").joinpath("remote_program.py").read_text("utf-8")
    )
    return f"python3 -c {shlex.quote(program)}"
