"""Collects the files of a workspace for a bundle, and extracts them from one.

Only plain files; links are not followed. They are extracted into an empty directory, so that no
file is overwritten and no link leads out of it.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.limits.sessions import (
    BUNDLE_FILE_BYTES_MAX,
    BUNDLE_FILES_MAX,
    BUNDLE_FOLDERS_DEEP_MAX,
    BUNDLE_WORKSPACE_BYTES_MAX,
)
from dataagent_core.errors import DirectoryError, ValidationError
from dataagent_core.session.bundle_file.archive import Archive
from dataagent_core.session.bundle_file.names import checked_path, is_left_out


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedFiles:
    """How many files were written, and which were not."""

    files: int
    left_out: list[str]


@dataclass(frozen=True, slots=True)
class CollectedFiles:
    """The files a bundle takes, and those it leaves."""

    files: list[str]
    left_out: list[str]


def collect_workspace(root: Path) -> CollectedFiles:
    """List the plain files beneath a directory; blocks."""
    files: list[str] = []
    left_out: list[str] = []
    total_bytes = 0
    for path, status in _walk(root, ""):
        if not stat.S_ISREG(status.st_mode) or is_left_out(path) or not _can_be_named(path):
            left_out.append(path)
            continue
        total_bytes += status.st_size
        if status.st_size > BUNDLE_FILE_BYTES_MAX or total_bytes > BUNDLE_WORKSPACE_BYTES_MAX:
            raise ValidationError(
                f"the workspace {str(root)!r} is too large for a bundle (at {path!r}): a file may "
                f"have {BUNDLE_FILE_BYTES_MAX:,} bytes, all of them {BUNDLE_WORKSPACE_BYTES_MAX:,}."
                " Export without the workspace and copy the files yourself."
            )
        files.append(path)
        if len(files) > BUNDLE_FILES_MAX:
            raise ValidationError(
                f"the workspace {str(root)!r} has more than {BUNDLE_FILES_MAX:,} files. Export "
                "without it and copy the files yourself."
            )
    return CollectedFiles(files, left_out)


def open_plain(root: Path, path: str) -> int | None:
    """Open a listed file, unless it is no plain file any more; the caller closes it."""
    try:
        descriptor = os.open(
            root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        )
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    return None


def checked_target(directory: Path) -> Path:
    """Return a directory files may be written to: one that is new or empty."""
    if directory.is_symlink() or (directory.exists() and not directory.is_dir()):
        raise DirectoryError(f"{str(directory)!r} is no directory. Name one that is new or empty.")
    if directory.is_dir() and any(directory.iterdir()):
        raise DirectoryError(
            f"{str(directory)!r} is not empty, and nothing in it is to be overwritten. Name a "
            "directory that is new or empty."
        )
    return directory


def extract_workspace(archive: Archive, directory: Path) -> ExtractedFiles:
    """Write the files of a bundle into an empty directory; blocks."""
    target = checked_target(directory)
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    left_out: list[str] = []
    written = 0
    left_bytes = BUNDLE_WORKSPACE_BYTES_MAX
    for path in archive.files:
        if is_left_out(path):
            left_out.append(path)
            continue
        left_bytes -= _extract(archive, path, target, min(left_bytes, BUNDLE_FILE_BYTES_MAX))
        written += 1
    return ExtractedFiles(files=written, left_out=left_out)


def _extract(archive: Archive, path: str, target: Path, bytes_max: int) -> int:
    target_path = target / path
    mode = 0o755 if archive.is_program(path) else 0o644
    written = 0
    try:
        target_path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(target_path, flags, mode), "wb") as file:
            for piece in archive.file(path, bytes_max):
                file.write(piece)
                written += len(piece)
    except (FileExistsError, NotADirectoryError) as error:
        raise ValidationError(f"{path[:200]!r} in the bundle stands where another is.") from error
    except OSError as error:
        raise DirectoryError(f"{path[:200]!r} cannot be written: {error.strerror}.") from error
    return written


def _can_be_named(path: str) -> bool:
    try:
        checked_path(path)
    except (ValidationError, UnicodeEncodeError):
        return False
    return True


def _walk(folder: Path, inside: str) -> Iterator[tuple[str, os.stat_result]]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        if not inside:
            raise DirectoryError(f"{str(folder)!r} cannot be read: {error.strerror}.") from error
        return
    for entry in entries:
        path = f"{inside}{entry.name}"
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            continue  # it went away meanwhile
        if not stat.S_ISDIR(status.st_mode):
            yield path, status
        elif is_left_out(f"{path}/x") or path.count("/") >= BUNDLE_FOLDERS_DEEP_MAX:
            yield f"{path}/", status
        else:
            yield from _walk(folder / entry.name, f"{path}/")
