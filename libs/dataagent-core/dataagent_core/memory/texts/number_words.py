"""Reads the numbers of a text, in digits and in words, in one form: "2,500.0" and "2500". Pure.

A lone "one" or 一 is no number: it stands for "a" as often.
"""

import re
from typing import Final

_DIGITS: Final = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_WORDS_TEXT: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty
"""
_WORDS: Final = {
    **{word: str(number) for number, word in enumerate(_WORDS_TEXT.split()) if word != "one"},
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "hundred": "100",
    "thousand": "1000",
}
_WORD: Final = re.compile(rf"(?i)\b(?:{'|'.join(_WORDS)})\b")
# A longer run is no number.
_CHINESE: Final = re.compile("[零一二两三四五六七八九十百千万]{1,16}")
_CHINESE_DIGITS: Final = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {
    "两": 2
}
_CHINESE_UNITS: Final = {"十": 10, "百": 100, "千": 1_000}


def is_number(word: str) -> bool:
    """Say whether a word is a number."""
    return word.isdigit() or word in _WORDS


def read_numbers(text: str) -> frozenset[str]:
    """List the numbers of a text; it must be in plain signs (`clauses.make_plain`)."""
    numbers = {part for found in _DIGITS.findall(text) for part in _read_digits(found)}
    numbers |= {_WORDS[found.lower()] for found in _WORD.findall(text)}
    numbers |= {_read_chinese(found) for found in _CHINESE.findall(text) if found != "一"}
    return frozenset(numbers)


def _read_digits(found: str) -> list[str]:
    if _THOUSANDS.fullmatch(found):
        found = found.replace(",", "")
    # "2.3.1" is no number, but each part of it counts.
    parts = [found] if found.count(".") <= 1 and "," not in found else re.split("[.,]", found)
    return [_shorten(part) for part in parts]


def _shorten(number: str) -> str:
    """Give a number without zeros that say nothing."""
    whole, _, rest = number.partition(".")
    whole, rest = whole.lstrip("0") or "0", rest.rstrip("0")
    return f"{whole}.{rest}" if rest else whole


def _read_chinese(found: str) -> str:
    total = section = digit = 0
    for sign in found:
        if sign == "万":
            total, section, digit = (total + section + digit or 1) * 10_000, 0, 0
        elif sign in _CHINESE_UNITS:
            section, digit = section + (digit or 1) * _CHINESE_UNITS[sign], 0
        else:
            digit = 10 * digit + _CHINESE_DIGITS[sign] if digit else _CHINESE_DIGITS[sign]
    return str(total + section + digit)
