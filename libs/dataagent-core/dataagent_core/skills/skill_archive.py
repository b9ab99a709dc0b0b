"""Reads a skill from a zip file that somebody sent: in memory, within limits, nothing unpacked.

SKILL.md is at the top or in the one folder at the top. Writing the files is in `skill_writer.py`.
"""

import io
import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_core.config.limits.skills import (
    SKILL_ARCHIVE_BYTES_MAX,
    SKILL_ARCHIVE_ENTRIES_MAX,
    SKILL_ARCHIVE_RATIO_FROM_BYTES,
    SKILL_ARCHIVE_RATIO_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.skills.skill_package import (
    PackedFile,
    check_sizes,
    find_skill_file,
    is_program,
)

_MARK: Final = b"PK"
MARK_BYTES: Final = len(_MARK)
_ENTRY_MARK: Final = b"PK\x01\x02"
# Files inside that are zip files themselves have such marks too.
_ENTRY_MARKS_MAX: Final = 10 * SKILL_ARCHIVE_ENTRIES_MAX
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED: Final = 0x1
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    UnicodeDecodeError,
    ValueError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillArchive:
    """The files of a skill by their paths, and the name of the folder they were in, if any."""

    files: dict[str, PackedFile]
    folder_name: str | None = None


def is_archive(data: bytes) -> bool:
    """Say whether a file is meant to be a zip file; whether it is one shows when it is read."""
    return data.startswith(_MARK)


def read_archive(source: bytes | Path) -> SkillArchive:
    """Read a zip file; what may not be unpacked is a `ValidationError` that says why."""
    data = source if isinstance(source, bytes) else _read(source)
    if len(data) > SKILL_ARCHIVE_BYTES_MAX:
        raise ValidationError(
            f"The zip file has more than {SKILL_ARCHIVE_BYTES_MAX:,} bytes. Pack only the skill."
        )
    # Before the list is read: it alone could fill the memory.
    if data.count(_ENTRY_MARK) > _ENTRY_MARKS_MAX:
        raise _too_many()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = _check_entries(archive.infolist())
            files = {path: _unpack(archive, entry) for path, entry in entries.items()}
    except _BROKEN as error:
        raise ValidationError(
            "The zip file cannot be read: it is broken or not a zip file. Pack the skill's folder "
            "again."
        ) from error
    return _find_top(files)


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(SKILL_ARCHIVE_BYTES_MAX + 1)


def _too_many() -> ValidationError:
    return ValidationError(
        f"The zip file has more than {SKILL_ARCHIVE_ENTRIES_MAX:,} entries. Pack only the skill."
    )


def _check_entries(listed: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    if len(listed) > SKILL_ARCHIVE_ENTRIES_MAX:
        raise _too_many()
    entries: dict[str, zipfile.ZipInfo] = {}
    for entry in listed:
        path = check_path(entry.filename)
        if entry.is_dir() or is_junk(path):
            continue
        _check_kind(entry, path)
        if path in entries:
            raise make_double_error(path)
        entries[path] = entry
    check_sizes({path: entry.file_size for path, entry in entries.items()})
    return entries


def check_path(written: str) -> str:
    """Return the path of a file that was sent; refuse one that leads out of the skill's folder."""
    path = written.replace("\\", "/")
    parts = path.rstrip("/").split("/")
    if path.startswith("/") or ".." in parts or ":" in parts[0]:
        raise ValidationError(
            f"{written!r:.200} leads out of the skill's folder. Give it a path inside the folder."
        )
    if any(part in ("", ".") or not part.isprintable() for part in parts):
        raise ValidationError(f"{written!r:.200} is not the path of a file. Rename it.")
    return path


def make_double_error(path: str) -> ValidationError:
    """Say that a path was sent twice."""
    return ValidationError(f"{path!r:.200} is in the skill twice. Keep one of them.")


def is_junk(path: str) -> bool:
    """Say whether a file is one of those that computers leave behind."""
    return any(part.startswith((".", "__MACOSX", "__pycache__")) for part in path.split("/"))


def _check_kind(entry: zipfile.ZipInfo, path: str) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise ValidationError(f"The zip file has the link {path!r:.200}. Pack the file itself.")
    if kind not in (0, stat.S_IFREG):
        raise ValidationError(f"The zip file has {path!r:.200}, which is not a file. Leave it out.")
    if entry.flag_bits & _ENCRYPTED:
        raise ValidationError("The zip file has a password. Pack it without one.")
    if entry.compress_type not in _METHODS:
        raise ValidationError(
            f"{path!r:.200} is packed with a method other than deflate. Pack it as an ordinary zip "
            "file."
        )
    is_large = entry.file_size >= SKILL_ARCHIVE_RATIO_FROM_BYTES
    if is_large and entry.file_size > SKILL_ARCHIVE_RATIO_MAX * max(1, entry.compress_size):
        raise ValidationError(
            f"{path!r:.200} unpacks to more than {SKILL_ARCHIVE_RATIO_MAX} times its packed size, "
            "as a zip bomb does. Leave it out."
        )


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> PackedFile:
    # Not more than its entry says, whatever is packed.
    with archive.open(entry) as file:
        data = file.read(entry.file_size)
    mode = entry.external_attr >> 16
    # A browser and Windows know no modes.
    executable = bool(mode & stat.S_IXUSR) if mode else is_program(data)
    return PackedFile(data=data, executable=executable)


def _find_top(files: dict[str, PackedFile]) -> SkillArchive:
    folders = {path.partition("/")[0] for path in files}
    at_top = any("/" not in path for path in files)
    if not at_top and len(folders) == 1:
        (folder,) = folders
        files = {path.removeprefix(f"{folder}/"): packed for path, packed in files.items()}
        find_skill_file(files)
        return SkillArchive(files=files, folder_name=folder)
    if not at_top and len(folders) > 1:
        raise ValidationError(
            f"The zip file has {len(folders)} folders and no SKILL.md beside them. Pack one skill "
            "at a time."
        )
    find_skill_file(files)
    return SkillArchive(files=files)
