"""In which encoding a text is, seen on its beginning; what is no text is refused.

Of the encodings in which it can be decoded the one wins whose characters are in daily use: a text
decoded in a wrong one is made of rare ideographs, or mixes scripts within words. Measured on short
tables, which detectors for web pages take for other ones. Those of one byte for Latin letters are
told apart in `latin_charset.py`.
"""

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass

from ..question_server import QuestionError
from .latin_charset import LatinCharset, find_latin_charset
from .text_file import LOOKED_AT_BYTES
from .value_format import AS_CHOSEN

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
_FOREIGN_RUN = re.compile(r"([A-Za-z]?)([^\x00-\x7f]+)(?=([A-Za-z]?))")
_MOSTLY = 0.5


@dataclass(frozen=True, slots=True)
class TextCharset:
    """An encoding as Python names it, and what a person should know of it."""

    name: str
    notes: tuple[str, ...] = ()


def find_charset(data: bytes, chosen: str | None = None) -> TextCharset:
    """Find the encoding; what is not text is refused.

    The one a person chose is taken, unless the text begins with the mark of another: then a note
    says so.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            rest = data.removeprefix(bom)
            return TextCharset(encoding, _passed_over(rest, encoding, chosen))
    if data.startswith(_MAGIC):
        raise _not_text()
    if chosen is not None:
        if _decoded(data, chosen) is None:
            raise QuestionError(f"it is no text in {chosen}, the encoding that was chosen")
        note = f"the text is read in {chosen}{AS_CHOSEN}"
        return TextCharset(chosen, () if data.isascii() else (note,))
    wide = _utf16_without_mark(data)
    if wide:
        return TextCharset(wide)
    if not _is_text(data):
        raise _not_text()
    if _decoded(data, "utf-8") is not None:
        return TextCharset("utf-8")
    many = _of_many_bytes(data)
    return TextCharset(many) if many else _of_one_byte(data)


def _passed_over(data: bytes, encoding: str, chosen: str | None) -> tuple[str, ...]:
    """Say that a mark outweighs what was chosen, where the text would be another one."""
    if chosen is None or chosen == encoding:
        return ()
    if data.isascii() and _decoded(data, chosen) == _decoded(data, encoding):
        return ()
    note = (
        f"the text begins with the mark of {encoding} and is read in it, not in {chosen}, "
        "which was chosen"
    )
    return (note,)


def _not_text() -> QuestionError:
    return QuestionError("it is a binary file, not text")


def _decoded(data: bytes, encoding: str) -> str | None:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        # What is cut at the end is still to come, unless this is the whole file.
        return decoder.decode(data, final=len(data) < LOOKED_AT_BYTES)
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


def _are_letters_of_latin_words(text: str) -> bool:
    """Say whether most characters stand alone within words: the accents of a Latin language."""
    runs = _FOREIGN_RUN.findall(text)
    alone = sum(len(run) == 1 and bool(before or after) for before, run, after in runs)
    return alone > _MOSTLY * len(runs)


def _daily_share(data: bytes, encoding: str) -> float:
    text = _decoded(data, encoding) or ""
    foreign = [char for char in text if ord(char) > _ASCII_MAX]
    if not foreign or _are_letters_of_latin_words(text):
        return 0.0
    daily = _DAILY[encoding]
    return sum(_first_byte(char, encoding) in daily for char in foreign) / len(foreign)


def _first_byte(char: str, encoding: str) -> int:
    code = char.encode(encoding)
    # Three and four bytes are rare characters; one is a half-width letter.
    return code[0] if len(code) == 2 else -1  # noqa: PLR2004


def _of_one_byte(data: bytes) -> TextCharset:
    undefined = sum(data.count(bytes((code,))) for code in _UNDEFINED)
    cyrillic = data.decode("cp1251", errors="replace")
    if _share_of_words(cyrillic, lambda char: "\u0400" <= char <= "\u04ff") >= _DAILY_SHARE:
        return TextCharset("cp1251")
    latin = find_latin_charset(data)
    if latin.name == "cp1252" and undefined > max(2, _BINARY_SHARE * len(data)):
        raise _not_text()
    notes = () if latin.other is None else (_two_ways(latin, latin.other),)
    controls = any(_ASCII_MAX < code < _LATIN_1_FROM for code in set(data))
    # Without these they are the same, and DuckDB itself decodes the second.
    is_latin_1 = latin.name == "cp1252" and not controls
    return TextCharset("latin-1" if is_latin_1 else latin.name, notes)


def _two_ways(found: LatinCharset, other: str) -> str:
    read, could_be = (found.word.decode(name, errors="replace") for name in (found.name, other))
    return (
        f"the text can be read in two ways: '{read}' is read in {found.name}, it could also be "
        f"'{could_be}' in {other} (the source's option --encoding {other})"
    )


def _share_of_words(text: str, is_of_script: Callable[[str], bool]) -> float:
    """Give how many of the words with letters that are not ASCII are all of one script."""
    # A single letter is as often a sign: `£` is one in the Cyrillic encoding.
    words = [word for word in _WORD.findall(text) if not word.isascii() and len(word) > 1]
    return sum(all(map(is_of_script, word)) for word in words) / len(words) if words else 0.0
