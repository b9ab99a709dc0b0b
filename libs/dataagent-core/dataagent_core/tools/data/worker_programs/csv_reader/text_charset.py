"""Finds the encoding of a text from its beginning, and refuses what is not text.

Of the encodings that decode the text, the one whose characters are in daily use wins: a wrong one
gives rare ideographs, or mixes scripts within words. Detectors made for web pages get short tables
wrong. `latin_charset.py` tells the single-byte encodings of Latin letters apart.
"""

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass

from ..question_server import QuestionError
from .latin_charset import LatinCharset, find_latin_charset
from .text_file import LOOKED_AT_BYTES
from .value_format import AS_CHOSEN

# With a larger share of control characters it is not text.
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
# Bytes that are undefined in Windows' Western encoding.
_UNDEFINED = b"\x81\x8d\x8f\x90\x9d"
# A text is in an encoding if at least this share of its non-ASCII characters is in daily use.
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
_FOREIGN_RUN = re.compile(r"([A-Za-z]?)([^\x00-\x7f]+)(?=([A-Za-z]?))")
_MOSTLY = 0.5


@dataclass(frozen=True, slots=True)
class TextCharset:
    """An encoding by its Python name, with notes for the user."""

    name: str
    notes: tuple[str, ...] = ()


def find_charset(data: bytes, chosen: str | None = None) -> TextCharset:
    """Find the encoding, or refuse what is not text.

    The encoding a user chose is taken, unless the text begins with the byte order mark of another:
    then a note says so.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            rest = data.removeprefix(bom)
            return TextCharset(encoding, _note_ignored_choice(rest, encoding, chosen))
    if data.startswith(_MAGIC):
        raise _make_binary_error()
    if chosen is not None:
        if _try_decode(data, chosen) is None:
            raise QuestionError(f"it is no text in {chosen}, the encoding that was chosen")
        note = f"the text is read in {chosen}{AS_CHOSEN}"
        return TextCharset(chosen, () if data.isascii() else (note,))
    wide = _detect_bare_utf16(data)
    if wide:
        return TextCharset(wide)
    if not _is_text(data):
        raise _make_binary_error()
    if _try_decode(data, "utf-8") is not None:
        return TextCharset("utf-8")
    many = _find_east_asian(data)
    return TextCharset(many) if many else _find_single_byte(data)


def _note_ignored_choice(data: bytes, encoding: str, chosen: str | None) -> tuple[str, ...]:
    """Note that a byte order mark overrides the chosen encoding, where the text differs."""
    if chosen is None or chosen == encoding:
        return ()
    if data.isascii() and _try_decode(data, chosen) == _try_decode(data, encoding):
        return ()
    note = (
        f"the text begins with the mark of {encoding} and is read in it, not in {chosen}, "
        "which was chosen"
    )
    return (note,)


def _make_binary_error() -> QuestionError:
    return QuestionError("it is a binary file, not text")


def _try_decode(data: bytes, encoding: str) -> str | None:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        # A character may be cut at the end, unless this is the whole file.
        return decoder.decode(data, final=len(data) < LOOKED_AT_BYTES)
    except UnicodeDecodeError:
        return None


def _detect_bare_utf16(data: bytes) -> str | None:
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


def _find_east_asian(data: bytes) -> str | None:
    """Find the East Asian encoding most of whose characters are in daily use."""
    shares = {encoding: _measure_daily_share(data, encoding) for encoding in _DAILY}
    # Korean text also decodes to daily Chinese ideographs; Chinese text is hardly ever Korean.
    if shares["cp949"] == 1 and len(set(_try_decode(data, "cp949") or "")) >= _KOREAN_CHARS_MIN:
        return "cp949"
    best = max(shares, key=lambda encoding: shares[encoding])
    return best if shares[best] >= _DAILY_SHARE else None


def _are_letters_of_latin_words(text: str) -> bool:
    """Say whether most characters are single ones within words: accents of a Latin language."""
    runs = _FOREIGN_RUN.findall(text)
    alone = sum(len(run) == 1 and bool(before or after) for before, run, after in runs)
    return alone > _MOSTLY * len(runs)


def _measure_daily_share(data: bytes, encoding: str) -> float:
    text = _try_decode(data, encoding) or ""
    foreign = [char for char in text if ord(char) > _ASCII_MAX]
    if not foreign or _are_letters_of_latin_words(text):
        return 0.0
    daily = _DAILY[encoding]
    return sum(_get_first_byte(char, encoding) in daily for char in foreign) / len(foreign)


def _get_first_byte(char: str, encoding: str) -> int:
    code = char.encode(encoding)
    # Characters of three or four bytes are rare; one byte is a half-width letter.
    return code[0] if len(code) == 2 else -1  # noqa: PLR2004


def _find_single_byte(data: bytes) -> TextCharset:
    undefined = sum(data.count(bytes((code,))) for code in _UNDEFINED)
    cyrillic = data.decode("cp1251", errors="replace")
    if _measure_script_share(cyrillic, lambda char: "\u0400" <= char <= "\u04ff") >= _DAILY_SHARE:
        return TextCharset("cp1251")
    latin = find_latin_charset(data)
    if latin.name == "cp1252" and undefined > max(2, _BINARY_SHARE * len(data)):
        raise _make_binary_error()
    notes = () if latin.other is None else (_note_ambiguity(latin, latin.other),)
    controls = any(_ASCII_MAX < code < _LATIN_1_FROM for code in set(data))
    # Without control bytes cp1252 and latin-1 are the same, and DuckDB decodes latin-1 itself.
    is_latin_1 = latin.name == "cp1252" and not controls
    return TextCharset("latin-1" if is_latin_1 else latin.name, notes)


def _note_ambiguity(found: LatinCharset, other: str) -> str:
    read, could_be = (found.word.decode(name, errors="replace") for name in (found.name, other))
    return (
        f"the text can be read in two ways: '{read}' is read in {found.name}, it could also be "
        f"'{could_be}' in {other} (the source's option --encoding {other})"
    )


def _measure_script_share(text: str, is_of_script: Callable[[str], bool]) -> float:
    """Return the share of non-ASCII words that are written in one script."""
    # A single letter is often a sign: `£` is a letter in the Cyrillic encoding.
    words = [word for word in _WORD.findall(text) if not word.isascii() and len(word) > 1]
    return sum(all(map(is_of_script, word)) for word in words) / len(words) if words else 0.0
