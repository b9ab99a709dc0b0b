"""Opens text files decompressed, reads their beginning, and rewrites them in UTF-8."""

import codecs
import gzip
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, cast

from ..question_server import QuestionError

LOOKED_AT_BYTES = 1_000_000
_CHUNK_BYTES = 1 << 20


def open_text_file(path: str, compression: str) -> BinaryIO:
    """Open a file, unpacked."""
    if compression == "gzip":
        return cast("BinaryIO", gzip.open(path, "rb"))
    if compression == "zstd":
        import pyarrow as pa

        return cast("BinaryIO", pa.CompressedInputStream(pa.OSFile(path), "zstd"))
    return Path(path).open("rb")


def read_beginning(path: str, compression: str) -> bytes:
    """Read the first bytes."""
    try:
        with closing(open_text_file(path, compression)) as file:
            return file.read(LOOKED_AT_BYTES)
    except (OSError, EOFError) as error:
        if not compression:
            raise
        raise QuestionError(f"it cannot be unpacked ({compression}): {error}") from error


def rewrite_as_utf8(path: str, compression: str, encoding: str, target: str) -> None:
    """Rewrite a file in UTF-8, for readers that know no other encoding."""
    with closing(open_text_file(path, compression)) as source, Path(target).open("wb") as file:
        file.writelines(
            text.removeprefix("\ufeff").encode()
            for text in codecs.iterdecode(_read_chunks(source), encoding, errors="replace")
        )


def _read_chunks(file: BinaryIO) -> Iterator[bytes]:
    while data := file.read(_CHUNK_BYTES):
        yield data
