"""Opens the zip file of a bundle, which is untrusted.

The size of its directory is checked before it is read, and every byte that is unpacked is counted;
links, encryption, unusual compression and repeated names are refused.
"""

import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, TypeVar

from dataagent_core.config.limits.sessions import (
    BUNDLE_BYTES_MAX,
    BUNDLE_COPY_BYTES,
    BUNDLE_DIRECTORY_BYTES_MAX,
    BUNDLE_FILES_MAX,
    BUNDLE_LINE_BYTES_MAX,
    BUNDLE_PART_BYTES_MAX,
)
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.session.bundle_file.names import PARTS, WORKSPACE, checked_path

T = TypeVar("T")

_END: Final = struct.Struct("<4s4H2LH")
_END_SIGNATURE: Final = b"PK\x05\x06"
_LARGE_LOCATOR: Final = b"PK\x06\x07"
_LARGE_LOCATOR_BYTES: Final = 20
_COMPRESSIONS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED: Final = 1
# What `zipfile` and its decompressors raise for a damaged file.
_ZIP_ERRORS: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, RuntimeError,
    ValueError, OSError,
)  # fmt: skip


class Archive:
    """An open bundle: its parts by name, and the files of its workspace."""

    def __init__(self, opened: zipfile.ZipFile) -> None:
        self._zip = opened
        self._parts: dict[str, zipfile.ZipInfo] = {}
        self._files: dict[str, zipfile.ZipInfo] = {}
        entries = opened.infolist()
        if len(entries) > BUNDLE_FILES_MAX + len(PARTS):
            raise ValidationError(f"the bundle holds more than {BUNDLE_FILES_MAX:,} files.")
        for entry in entries:
            self._add_entry(entry)
        for name in PARTS:
            if name not in self._parts:
                raise ValidationError(f"this is no bundle of a session: it has no {name}.")

    @property
    def files(self) -> list[str]:
        """The files of the workspace, by their paths in it."""
        return list(self._files)

    def is_program(self, path: str) -> bool:
        """Return whether a file is executable."""
        return bool((self._files[path].external_attr >> 16) & stat.S_IXUSR)

    def part(self, name: str) -> bytes:
        """Read one of the bundle's own parts."""
        return b"".join(self._read_pieces(self._parts[name], BUNDLE_PART_BYTES_MAX))

    def lines(self, name: str) -> Iterator[bytes]:
        """Read one of the bundle's own parts line by line."""
        read = 0
        with self._open_entry(self._parts[name]) as file:
            while line := _convert_errors(lambda: file.readline(BUNDLE_LINE_BYTES_MAX + 1)):
                read += len(line)
                if len(line) > BUNDLE_LINE_BYTES_MAX or read > BUNDLE_PART_BYTES_MAX:
                    raise ValidationError(f"{name} in the bundle is too large to be read.")
                yield line

    def file(self, path: str, bytes_max: int) -> Iterator[bytes]:
        """Read a file of the workspace in pieces; raise if it has more than `bytes_max`."""
        return self._read_pieces(self._files[path], bytes_max)

    def _add_entry(self, entry: zipfile.ZipInfo) -> None:
        name = entry.filename
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _COMPRESSIONS:
            raise ValidationError(
                f"{name[:200]!r} in the bundle is packed in a way that is refused."
            )
        if kind not in {0, stat.S_IFREG}:
            raise ValidationError(f"{name[:200]!r} in the bundle is no plain file; it is refused.")
        if name in PARTS:
            entries_by_name, key = self._parts, name
        elif name.startswith(WORKSPACE):
            entries_by_name, key = self._files, checked_path(name.removeprefix(WORKSPACE))
        else:
            raise ValidationError(f"the bundle holds {name[:200]!r}, which belongs to none.")
        if key in entries_by_name:
            raise ValidationError(f"the bundle holds {name[:200]!r} twice.")
        entries_by_name[key] = entry

    def _read_pieces(self, entry: zipfile.ZipInfo, bytes_max: int) -> Iterator[bytes]:
        left_bytes = bytes_max
        with self._open_entry(entry) as file:
            while piece := _convert_errors(lambda: file.read(BUNDLE_COPY_BYTES)):
                left_bytes -= len(piece)
                if left_bytes < 0:
                    raise ValidationError(
                        f"{entry.filename[:200]!r} in the bundle has more than {bytes_max:,} bytes."
                    )
                yield piece

    @contextmanager
    def _open_entry(self, entry: zipfile.ZipInfo) -> Generator[IO[bytes]]:
        file = _convert_errors(lambda: self._zip.open(entry))
        with file:
            yield file


@contextmanager
def open_archive(path: Path, shown: str | None = None) -> Generator[Archive]:
    """Open a bundle's file and check its list of contents.

    `shown` is its name in errors, where the path must not be shown.
    """
    name = shown or repr(str(path))
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {name}.") from None
    except OSError as error:
        raise ValidationError(f"{name} cannot be read: {error.strerror}.") from error
    with file:
        _check_contents(file, name)
        opened = _convert_errors(lambda: zipfile.ZipFile(file))
        with opened:
            yield Archive(opened)


def _check_contents(file: IO[bytes], name: str) -> None:
    """Refuse a list of contents that is too large for memory, before it is read."""
    size = file.seek(0, 2)
    if size > BUNDLE_BYTES_MAX:
        raise ValidationError(f"{name} is larger than {BUNDLE_BYTES_MAX:,} bytes.")
    wanted = _END.size + _LARGE_LOCATOR_BYTES
    file.seek(max(size - wanted, 0))
    tail = file.read(wanted)
    end = tail[-_END.size :]
    # Our bundles have no comment at their end, and are never zip64.
    if len(end) < _END.size or end[:4] != _END_SIGNATURE or tail[:4] == _LARGE_LOCATOR:
        raise ValidationError(f"{name} is no bundle of a session.")
    directory_bytes: int = _END.unpack(end)[5]
    if directory_bytes > BUNDLE_DIRECTORY_BYTES_MAX:
        raise ValidationError(f"{name} holds more names than are read.")
    file.seek(0)


def _convert_errors(work: Callable[[], T]) -> T:
    try:
        return work()
    except _ZIP_ERRORS as error:
        raise ValidationError(f"the bundle is damaged: {error}.") from error
