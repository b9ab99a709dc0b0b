"""Lists the files of a source, and holds them open while a sandbox is made.

Of a folder, only its direct entries count: no link is followed, only regular files are opened. A
file that is replaced between listing and opening is either the one that was opened, or refused.
"""

import os
import stat
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.limits.data import DATA_FILES_MAX, DATA_FOLDER_NAMES_MAX
from dataagent_core.errors import DataAgentError, QueryFailedError
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.sources.file_formats import detect_format
from dataagent_core.tools.data.sources.source_spec import SourceSpec

# Only to bind it: closing a readable descriptor would drop our process's own locks.
_BIND_FLAGS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC | os.O_NOFOLLOW
# The side files of databases.
_SIDE_FILES = {"sqlite": ("", "-wal", "-shm", "-journal"), "duckdb": ("", ".wal")}


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file when it was listed; `table` if its table name is given."""

    path: Path
    device: int
    inode: int
    size_bytes: int
    mtime_ns: int
    table: str = ""

    @property
    def identity(self) -> tuple[str, int, int]:
        """The identity of the file, which differs for a replacement."""
        return str(self.path), self.device, self.inode


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """The files of a source, and notes on the entries left out."""

    files: tuple[SourceFile, ...]
    notes: tuple[str, ...] = ()

    @property
    def identity(self) -> tuple[tuple[str, int, int], ...]:
        """The identities, which change when a file is added, removed or replaced."""
        return tuple(file.identity for file in self.files)


def list_source_files(spec: SourceSpec, tables: Mapping[str, Path]) -> SourceFiles:
    """List a source's files; a missing file is an error."""
    if spec.kind == "results":
        return SourceFiles(tuple(_stat_required(path, name) for name, path in tables.items()))
    path = Path(spec.location)
    if spec.kind in _SIDE_FILES:
        sides = (_stat_file(Path(f"{path}{side}")) for side in _SIDE_FILES[spec.kind][1:])
        return SourceFiles((_stat_required(path), *(side for side in sides if side is not None)))
    return _list_folder(path) if path.is_dir() else SourceFiles((_stat_required(path),))


def _list_folder(folder: Path) -> SourceFiles:
    files: list[SourceFile] = []
    links: list[str] = []
    irregular: list[str] = []
    others = 0
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry, _ in zip(entries, range(DATA_FOLDER_NAMES_MAX)))  # noqa: B905 - the shorter counts
    except OSError as error:
        raise QueryFailedError(f"{str(folder)!r} cannot be listed: {error.strerror}.") from error
    for name in names:
        if name.startswith((".", "~$")) or detect_format(name) is None:
            others += not name.startswith(".")
            continue
        seen = _stat_file(folder / name)
        if seen is not None:
            files.append(seen)
        elif (folder / name).is_symlink():
            links.append(name)
        else:
            irregular.append(name)
    notes = [
        *([f"links are not followed: {_list_some(links)}"] if links else []),
        *([f"not regular files: {_list_some(irregular)}"] if irregular else []),
        *([f"{others} other entries are no tables (folders, other endings)"] if others else []),
    ]
    if len(files) > DATA_FILES_MAX:
        notes.append(f"{len(files)} files; only the first {DATA_FILES_MAX} by name are tables")
    return SourceFiles(tuple(files[:DATA_FILES_MAX]), tuple(notes))


def _list_some(names: list[str]) -> str:
    shown = ", ".join(names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown  # noqa: PLR2004


def _stat_required(path: Path, table: str = "") -> SourceFile:
    seen = _stat_file(path, table)
    if seen is None:
        raise QueryFailedError(
            f"The file {str(path)!r} is not there any more, or is no regular file. Put it back, "
            "or remove the source."
        )
    return seen


def _stat_file(path: Path, table: str = "") -> SourceFile | None:
    try:
        status = path.lstat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    identity = status.st_dev, status.st_ino
    return SourceFile(path, *identity, status.st_size, status.st_mtime_ns, table)


@contextmanager
def open_source_files(files: tuple[SourceFile, ...], beneath: Path | None) -> Generator[list[int]]:
    """Hold files open; beneath a root no link on the path is followed either."""
    descriptors: list[int] = []
    root = SafeRoot(beneath, links="refuse") if beneath is not None else None
    try:
        for file in files:  # one by one, so that opened ones are closed when the next fails
            descriptor = _open_file(file.path, root)
            descriptors.append(descriptor)
        yield descriptors
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
        if root is not None:
            root.close()


def _open_file(path: Path, root: SafeRoot | None) -> int:
    try:
        descriptor = os.open(path, _BIND_FLAGS) if root is None else _open_beneath(path, root)
    except (OSError, ValueError, DataAgentError) as error:
        raise QueryFailedError(f"{str(path)!r} cannot be opened: {error}") from error
    status = os.fstat(descriptor)
    # A hard link of the file may be in another user's folder.
    if stat.S_ISREG(status.st_mode) and (root is None or status.st_nlink == 1):
        return descriptor
    os.close(descriptor)
    raise QueryFailedError(f"{str(path)!r} is no plain file. Copy it to one of its own.")


def _open_beneath(path: Path, root: SafeRoot) -> int:
    folder = root.open_directory(f"/{path.parent.relative_to(os.path.realpath(root.path))}")
    try:
        return os.open(path.name, _BIND_FLAGS, dir_fd=folder)
    finally:
        os.close(folder)
