"""In which encoding a text is, seen on its beginning; what is no text is refused.

Of the encodings in which it can be decoded the one wins whose characters are in daily use: a text
decoded in a wrong one is made of rare ideographs, or mixes scripts within words. Measured on short
tables, which detectors for web pages take for other ones.
"""

import codecs
import re
from collections.abc import Callable

from .serving import AskedWronglyError

# The share of control characters from which on nobody calls it text.
_BINARY_SHARE = 0.02
_PLAIN_CONTROLS = {0, 9, 10, 12, 13, 26, 27}
_MAGIC = (b"%PDF", b"\x89PNG", b"PK\x03\x04", b"\x7fELF", b"\xd0\xcf\x11\xe0", b"\xff\xd8\xff")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ASCII_MAX = 0x7F
_LATIN_1_FROM = 0xA0
# Bytes that mean nothing in Windows' Western encoding.
_UNDEFINED = b"\x81\x8d\x8f\x90\x9d"
# From how many of the characters on that are not ASCII a text is taken to be in an encoding.
_DAILY_SHARE = 0.8
# The first bytes of the characters in daily use: punctuation, kana, the first level of ideographs
# or syllables.
_DAILY: dict[str, frozenset[int]] = {
    "gb18030": frozenset((*range(0xA1, 0xA4), *range(0xB0, 0xD8))),
    "cp932": frozenset((*range(0x81, 0x85), *range(0x88, 0x98))),
    "big5": frozenset(range(0xA1, 0xC7)),
    "cp949": frozenset((*range(0xA1, 0xA4), *range(0xB0, 0xC9))),
}
_KOREAN_CHARS_MIN = 12
_WORD = re.compile(r"[^\W\d_]+")


def encoding_of(data: bytes) -> str:
    """Name the encoding as Python does; what is not text is refused."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding
    if data.startswith(_MAGIC):
        raise _not_text()
    wide = _utf16_without_mark(data)
    if wide:
        return wide
    if not _is_text(data):
        raise _not_text()
    if _decoded(data, "utf-8") is not None:
        return "utf-8"
    return _of_many_bytes(data) or _of_one_byte(data)


def _not_text() -> AskedWronglyError:
    return AskedWronglyError("it is a binary file, not text")


def _decoded(data: bytes, encoding: str) -> str | None:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        return decoder.decode(data)  # what is cut at the end is still to come
    except UnicodeDecodeError:
        return None


def _utf16_without_mark(data: bytes) -> str | None:
    even, odd = data[0::2].count(0), data[1::2].count(0)
    pairs = len(data) // 2
    if not pairs:
        return None
    if odd > 0.3 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    return "utf-16-be" if even > 0.3 * pairs and odd < 0.05 * pairs else None


def _is_text(data: bytes) -> bool:
    """Say whether few enough bytes are control characters."""
    controls = sum(
        data.count(bytes((code,)))
        for code in (*range(0x20), _ASCII_MAX)
        if code not in _PLAIN_CONTROLS
    )
    return controls <= max(2, _BINARY_SHARE * len(data)) and data.count(0) <= 0.1 * len(data)


def _of_many_bytes(data: bytes) -> str | None:
    """Find the East Asian encoding most of whose characters are in daily use."""
    shares = {encoding: _daily_share(data, encoding) for encoding in _DAILY}
    # Every Korean text is also one of daily Chinese ideographs; hardly a Chinese one is Korean.
    if shares["cp949"] == 1 and len(set(_decoded(data, "cp949") or "")) >= _KOREAN_CHARS_MIN:
        return "cp949"
    best = max(shares, key=lambda encoding: shares[encoding])
    return best if shares[best] >= _DAILY_SHARE else None


def _daily_share(data: bytes, encoding: str) -> float:
    text = _decoded(data, encoding)
    foreign = [char for char in text or "" if ord(char) > _ASCII_MAX]
    if not foreign:
        return 0.0
    daily = _DAILY[encoding]
    return sum(_first_byte(char, encoding) in daily for char in foreign) / len(foreign)


def _first_byte(char: str, encoding: str) -> int:
    code = char.encode(encoding)
    # Three and four bytes are rare characters; one is a half-width letter.
    return code[0] if len(code) == 2 else -1  # noqa: PLR2004


def _of_one_byte(data: bytes) -> str:
    undefined = sum(data.count(bytes((code,))) for code in _UNDEFINED)
    cyrillic = data.decode("cp1251", errors="replace")
    if _share_of_words(cyrillic, lambda char: "\u0400" <= char <= "\u04ff") >= _DAILY_SHARE:
        return "cp1251"
    if undefined > max(2, _BINARY_SHARE * len(data)):
        raise _not_text()
    controls = any(_ASCII_MAX < code < _LATIN_1_FROM for code in set(data))
    return "cp1252" if controls else "latin-1"


def _share_of_words(text: str, is_of_script: Callable[[str], bool]) -> float:
    """Give how many of the words with letters that are not ASCII are all of one script."""
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    return sum(all(map(is_of_script, word)) for word in words) / len(words) if words else 0.0
