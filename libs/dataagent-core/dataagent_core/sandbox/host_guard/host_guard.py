"""Holds back what a command did to files that programs of the host obey, until a person agrees.

    async with guard.watched() as notes:
        (the command runs)
    notes: the old content is restored, the new one is kept aside and shown

Concurrent commands are compared with the state before the first of them: what one plants is not
what the next one found. What an editor's own git reads while the command still runs cannot be held
back; nor can changes that DataAgent had not inspected when it was killed.
"""

import asyncio
import os
import re
import secrets
import stat
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dataagent_core.config.limits import (
    HOST_FILE_SHOWN_CHARS_MAX,
    HOST_INCLUDES_DEEP_MAX,
    HOST_SCAN_ENTRIES_MAX,
)
from dataagent_core.errors import LimitReachedError
from dataagent_core.sandbox.git.git_file_checks import (
    is_harmless_common,
    is_harmless_config,
    is_harmless_modules,
    is_harmless_pointer,
    is_harmless_todo,
    list_attribute_drivers,
)
from dataagent_core.sandbox.host_guard.git_named_files import (
    find_files_named_by_configs,
    find_files_named_by_person,
)
from dataagent_core.sandbox.host_guard.held_changes import HeldChangeStore
from dataagent_core.sandbox.host_guard.host_file_scan import (
    HostFileRole,
    ScannedFile,
    scan_host_files,
)
from dataagent_core.sandbox.host_guard.host_files import find_host_file
from dataagent_core.sandbox.paths.closed_paths import ClosedPaths
from dataagent_core.sandbox.paths.tool_paths import PathParts, format_path
from dataagent_core.sandbox.paths.workspace_location import WorkspaceLocation
from dataagent_core.sandbox.processes.completion import run_to_completion

_CREATE_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# The entries after a command, as a multiple of the limit before it.
_GROWTH_FACTOR = 2


@dataclass(frozen=True, slots=True)
class HostFileState:
    """What a folder held before, and what the person's configuration named in it."""

    files: Mapping[PathParts, ScannedFile]
    named: Mapping[PathParts, HostFileRole]


# By folder.
Before = Mapping[Path, HostFileState]


@dataclass(slots=True)
class _SharedState:
    """What there was before the first of the commands that run now."""

    before: Before | None = None
    running: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True)
class HostGuard:
    """Looks at one workspace; `held` keeps what is held back.

    `git_directory` is the repository's, where it lies outside and commands can write it.
    """

    workspace: Path
    place: WorkspaceLocation
    held: HeldChangeStore
    closed: ClosedPaths
    git_directory: Path | None = None
    _shared: _SharedState = field(default_factory=_SharedState)

    @asynccontextmanager
    async def watched(self) -> AsyncGenerator[list[str]]:
        """Compare the files before and after; at the end the list names what was held back."""
        notes: list[str] = []
        begun = asyncio.ensure_future(asyncio.to_thread(self.look))
        try:
            before = await run_to_completion(begun)
        except asyncio.CancelledError:
            if begun.exception() is None:
                self._release()
            raise
        try:
            yield notes
        finally:
            notes += await run_to_completion(asyncio.to_thread(self.hold, before))

    def look(self) -> Before:
        """Read the state before a command; `hold` must follow. It blocks."""
        with self._shared.lock:
            if self._shared.before is None:
                self._shared.before = {root: self._read_state(root) for root in self._visible_paths}
            self._shared.running += 1
            return self._shared.before

    def hold(self, before: Before) -> tuple[str, ...]:
        """Undo what a command did to such files, and say so. It blocks."""
        try:
            with self._shared.lock:
                held = (self._hold_changes_in(root, found) for root, found in before.items())
                return tuple(note for notes in held for note in notes)
        finally:
            self._release()

    def _release(self) -> None:
        with self._shared.lock:
            self._shared.running -= 1
            if self._shared.running <= 0:
                self._shared.before = None

    @property
    def _visible_paths(self) -> dict[Path, str]:
        """Give the path at which programs see each watched folder."""
        outside = self.git_directory
        return {self.workspace: self.place.path} | (
            {} if outside is None else {outside: str(outside)}
        )

    @cached_property
    def _named_by_person(self) -> dict[PathParts, HostFileRole]:
        return find_files_named_by_person(self.workspace, self.place.path)

    def _read_state(self, root: Path) -> HostFileState:
        named: dict[PathParts, HostFileRole] = dict(
            self._named_by_person if root == self.workspace else {}
        )
        found = self._scan(root, named)
        for _ in range(HOST_INCLUDES_DEEP_MAX):
            more = find_files_named_by_configs(found, self._visible_paths[root])
            if more.keys() <= named.keys():
                break
            named |= more
            found = self._scan(root, named)
        return HostFileState(found, named)

    def _scan(
        self, root: Path, named: Mapping[PathParts, HostFileRole]
    ) -> Mapping[PathParts, ScannedFile]:
        with _open_folder(root) as descriptor:
            found = scan_host_files(
                descriptor, HOST_SCAN_ENTRIES_MAX, self.closed.identities, named
            )
        if not found.complete:
            raise LimitReachedError(
                f"{str(root)!r} has more than {HOST_SCAN_ENTRIES_MAX:,} entries: files that "
                "programs of this computer obey could not be told from those a command makes. "
                "Start in a folder with fewer."
            )
        return found.files

    def _hold_changes_in(self, root: Path, before: HostFileState) -> Iterator[str]:
        with _open_folder(root) as descriptor:
            after = scan_host_files(
                descriptor,
                _GROWTH_FACTOR * HOST_SCAN_ENTRIES_MAX,
                self.closed.identities,
                before.named,
            )
            if not after.complete:
                yield f"{str(root)!r} has too many entries: not all of them were looked at."
            for parts, now in sorted(after.files.items(), key=lambda item: item[0]):
                was = before.files.get(parts)
                if was == now:
                    continue
                folder = "/".join((self._visible_paths[root], *parts[:-1]))
                why = find_hold_reason(parts, was, now, folder, list(self._visible_paths.values()))
                if why is not None:
                    yield from self._hold_change(root, descriptor, parts, (was, now), why)

    def _hold_change(
        self,
        root: Path,
        descriptor: int,
        parts: PathParts,
        change: tuple[ScannedFile | None, ScannedFile],
        why: str,
    ) -> Iterator[str]:
        was, now = change
        base = None if root == self.workspace else root
        path = format_path(parts) if base is None else str(root.joinpath(*parts))
        try:
            if not restore_host_file(descriptor, parts, was, now):
                return
        except OSError as error:
            yield (
                f"The change of {path!r} could NOT be undone ({error.strerror}): {why}. Whoever "
                f"runs DataAgent must look at it first.\n{_format_content(now)}"
            )
            return
        mode = stat.S_IMODE(now.mode) & 0o777
        number = self.held.keep(
            format_path(parts), now.content, link=now.is_link, mode=mode, base=base
        )
        yield (
            f"The change of {path!r} was held back, the file is as it was before: {why}. Whoever "
            "runs DataAgent on this computer can take it over with `dataagent permissions held "
            f"--take {number}`. {_format_content(now)}"
        )


@contextmanager
def _open_folder(root: Path) -> Generator[int]:
    descriptor = os.open(root, _FOLDER)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _format_content(now: ScannedFile) -> str:
    content = (now.content or b"").decode("utf-8", "replace")
    shown = content[:HOST_FILE_SHOWN_CHARS_MAX]
    more = " (cut)" if len(content) > len(shown) else ""
    return f"It was{more}:\n{shown}"


def find_hold_reason(
    parts: PathParts,
    before: ScannedFile | None,
    after: ScannedFile,
    folder: str,
    writable: Sequence[str],
) -> str | None:
    """Say which program would obey a changed file; None for what git writes by itself.

    `writable` are the folders that commands can write.
    """
    text, old = _decode_content(after), _decode_content(before)
    match after.what:
        case "config":
            harmless = is_harmless_config(text, old, folder, writable)
        case "modules":
            harmless = is_harmless_modules(text, old)
        case "commondir":
            harmless = is_harmless_common(text, folder)
        case "pointer":
            harmless = is_harmless_pointer(text, folder, writable)
        case "hook":
            harmless = parts[-1].endswith(".sample")
        case "remote" | "program":
            harmless = False
        case "attributes":
            known = (
                list_attribute_drivers(before.content or b"")
                if before is not None
                else frozenset[bytes]()
            )
            harmless = list_attribute_drivers(after.content or b"") <= known
        case "todo":
            harmless = is_harmless_todo(text)
        case "listed":
            return _find_reason_for_listed(parts, after)
    is_known = after.content is not None and not after.is_link
    return (
        None if harmless and is_known else "git runs programs it names, or sends to its addresses"
    )


def _find_reason_for_listed(parts: PathParts, after: ScannedFile) -> str | None:
    entry = find_host_file(parts)
    if entry is None:
        return "a link in the place of a listed folder"
    passes = entry.harmless is not None and after.content is not None and not after.is_link
    if passes and re.fullmatch(entry.harmless or "", _decode_content(after)):
        return None
    return entry.who


def _decode_content(found: ScannedFile | None) -> str:
    return "" if found is None else (found.content or b"").decode("utf-8", "replace")


def restore_host_file(
    root_fd: int, parts: PathParts, was: ScannedFile | None, now: ScannedFile
) -> bool:
    """Restore the earlier content; False if the name is gone. Raises `OSError`."""
    with ExitStack() as stack:
        folder = root_fd
        try:
            for name in parts[:-1]:
                folder = os.open(name, _FOLDER, dir_fd=folder)
                stack.callback(os.close, folder)
        except FileNotFoundError:
            return False
        return _with_write_permission(folder, lambda: _restore_entry(folder, parts[-1], was, now))


def _restore_entry(folder: int, name: str, was: ScannedFile | None, now: ScannedFile) -> bool:
    try:
        if now.content is None:
            # Cannot be kept elsewhere.
            aside = f"{name}.refused-{secrets.token_hex(4)}"
            os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)
        if was is None or was.content is None:
            if now.content is not None:
                os.unlink(name, dir_fd=folder)
            return True
    except FileNotFoundError:
        return False
    beside = f".dataagent-{secrets.token_hex(8)}.tmp"
    try:
        _create_entry(folder, beside, was, was.content)
        os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise
    return True


def _create_entry(folder: int, name: str, was: ScannedFile, content: bytes) -> None:
    if was.is_link:
        os.symlink(content, os.fsencode(name), dir_fd=folder)
        return
    descriptor = os.open(name, _CREATE_FILE, 0o600, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        with suppress(PermissionError):
            os.fchown(descriptor, *was.owner)
        os.fchmod(descriptor, stat.S_IMODE(was.mode) & 0o777)


def _with_write_permission(folder: int, change: Callable[[], bool]) -> bool:
    """Change a folder; one of ours that a command made read-only becomes writable first."""
    try:
        return change()
    except PermissionError:
        mode = stat.S_IMODE(os.fstat(folder).st_mode)
        os.chmod(f"/proc/self/fd/{folder}", mode | stat.S_IRWXU)  # noqa: PTH101
        return change()
