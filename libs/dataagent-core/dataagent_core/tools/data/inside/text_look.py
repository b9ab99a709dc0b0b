"""What a file that should be text is: its encoding, seen on its beginning, or that it is none."""

import codecs
import gzip
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, cast

from .serving import AskedWronglyError

LOOKED_AT_BYTES = 1_000_000
# The share of control characters from which on nobody calls it text.
_BINARY_SHARE = 0.02
_PLAIN_CONTROLS = {0, 9, 10, 12, 13, 26, 27}
_MAGIC = (b"%PDF", b"\x89PNG", b"PK\x03\x04", b"\x7fELF", b"\xd0\xcf\x11\xe0", b"\xff\xd8\xff")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Rows of GB 2312: punctuation and full-width letters, and level one of the ideographs.
_DAILY_ROWS = frozenset((*range(0xA1, 0xA4), *range(0xB0, 0xD8)))
_DELETE = 0x7F
_CHUNK_BYTES = 1 << 20


def opened(path: str, compression: str) -> BinaryIO:
    """Open a file, unpacked."""
    if compression == "gzip":
        return cast("BinaryIO", gzip.open(path, "rb"))
    if compression == "zstd":
        import pyarrow as pa

        return cast("BinaryIO", pa.CompressedInputStream(pa.OSFile(path), "zstd"))
    return Path(path).open("rb")


def beginning(path: str, compression: str) -> bytes:
    """Read the first bytes."""
    try:
        with closing(opened(path, compression)) as file:
            return file.read(LOOKED_AT_BYTES)
    except (OSError, EOFError) as error:
        if not compression:
            raise
        raise AskedWronglyError(f"it cannot be unpacked ({compression}): {error}") from error


def encoding_of(data: bytes) -> str:
    """Name the encoding as Python does; what is not text is refused."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding
    if data.startswith(_MAGIC):
        raise AskedWronglyError("it is a binary file, not text")
    wide = _utf16_without_mark(data)
    if wide:
        return wide
    if _decodes(data, "utf-8"):
        return "utf-8" if _is_text(data, 0x20) else _refuse()
    if _decodes(data, "gb18030") and _looks_chinese(data):
        return "gb18030"
    return "latin-1" if _is_text(data, 0xA0) else _refuse()


def _refuse() -> str:
    raise AskedWronglyError("it is a binary file, not text")


def _decodes(data: bytes, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        decoder.decode(data)  # what is cut at the end is still to come
    except UnicodeDecodeError:
        return False
    return True


def _utf16_without_mark(data: bytes) -> str | None:
    even, odd = data[0::2].count(0), data[1::2].count(0)
    pairs = len(data) // 2
    if not pairs:
        return None
    if odd > 0.3 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    return "utf-16-be" if even > 0.3 * pairs and odd < 0.05 * pairs else None


def _is_text(data: bytes, printable_from: int) -> bool:
    """Say whether few enough bytes are control characters, of Latin-1 too when asked."""
    controls = sum(
        data.count(bytes((code,)))
        for code in (*range(0x20), *range(_DELETE, printable_from))
        if code not in _PLAIN_CONTROLS
    )
    zeros = data.count(0)
    # Windows' own letters lie where Latin-1 has controls, so a few of these are usual.
    return controls <= max(2, _BINARY_SHARE * len(data)) and zeros <= 0.1 * len(data)


def _looks_chinese(data: bytes) -> bool:
    """Tell Chinese from Western letters that happen to decode: common ideographs prevail."""
    text = codecs.getincrementaldecoder("gb18030")().decode(data)
    foreign = [char for char in text if ord(char) > _DELETE]
    common = sum(
        "\u4e00" <= char <= "\u9fff" or "\u3000" <= char <= "\u30ff" or "\uff00" <= char <= "\uffef"
        for char in foreign
    )
    # In Western text a letter such as é takes the plain letter after it along: rare ideographs.
    level_one = sum(_is_level_one(char) for char in foreign)
    return bool(foreign) and common >= 0.8 * len(foreign) and level_one >= 0.5 * len(foreign)


def _is_level_one(char: str) -> bool:
    """Say whether it is among the punctuation or the 3,755 ideographs in daily use."""
    try:
        row = char.encode("gb2312")[0]
    except UnicodeEncodeError:
        return False
    return row in _DAILY_ROWS


def rewritten(path: str, compression: str, encoding: str, target: str) -> None:
    """Write a file anew in UTF-8, for readers that know no other encoding."""
    with closing(opened(path, compression)) as source, Path(target).open("wb") as file:
        file.writelines(
            text.removeprefix("\ufeff").encode()
            for text in codecs.iterdecode(_chunks(source), encoding, errors="replace")
        )


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while data := file.read(_CHUNK_BYTES):
        yield data
