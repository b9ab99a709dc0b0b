"""Removes from a message what stands for one thing and says nothing of the subject. Pure.

Web and e-mail addresses, dates, times, numbers, ids, hashes and keys: static vectors give their
letters some meaning, and the words in an address are not those of a person, so which one stands in
a message would decide what fits. Words with a digit stay: `p95`, `sha256`, `oauth2`, `k8s`.
"""

import re
from collections.abc import Collection
from typing import Final

_FLAGS: Final = re.ASCII | re.IGNORECASE
_ADDRESS: Final = re.compile(
    r"(?<![a-z0-9])(?:[a-z][a-z0-9+.-]{1,20}://|www\.)[!-~]+"
    r"|(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z][\w-]{1,23}"
    r"|(?<![\w.@-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|edu|gov|info|io|dev|cn|local|internal)"
    r"(?![\w-])(?!\.\w)(?::\d{1,5})?(?:/[!-~]*)?",
    _FLAGS,
)
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY: Final = r"(?:\b(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]{0,5}day)?\b[.,]?\s{1,3})?"
_TIME_ZONE: Final = r"(?:\s?(?:z|utc|gmt|am|pm)\b|\s?[+-]\d\d:?\d\d\b)"
_DATE: Final = re.compile(
    rf"{_WEEKDAY}\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s{{1,3}}(?:of\s{{1,3}})?{_MONTH}(?:,?\s{{1,3}}\d{{4}}\b)?"
    rf"|{_MONTH}\s{{1,3}}\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s{{1,3}}\d{{4}}\b)?|{_MONTH}\s{{1,3}}\d{{4}}\b)"
    rf"|(?<![a-z0-9])\d{{4}}-\d\d-\d\d(?:t\d\d:\d\d(?::\d\d(?:[.,]\d{{1,9}})?)?)?{_TIME_ZONE}?(?![a-z0-9])"
    rf"|(?<![a-z0-9])\d{{1,2}}:\d\d(?::\d\d(?:[.,]\d{{1,9}})?)?{_TIME_ZONE}?(?![a-z0-9])"
    r"|\d{2,4} ?年(?!度)(?: ?\d{1,2} ?月份?(?: ?\d{1,2} ?[日号])?)?"
    r"|\d{1,2} ?月(?!报)份?(?: ?\d{1,2} ?[日号])?|\d{1,2} ?[点时](?: ?\d{1,2} ?分)?",
    _FLAGS,
)
# Words, numbers and ids that are joined by signs.
_TOKEN: Final = re.compile(r"[#$+]?[A-Za-z0-9]+(?:[-_.,+/=~:]+[A-Za-z0-9]+)*(?:=+|%)?")
_PART: Final = re.compile(r"[A-Za-z0-9]+")
_JOINTS: Final = "-_.,+/=~:#$"
# From so many characters on, a token is a key when most of it is no word.
_KEY_CHARS_MIN: Final = 20
# Of a part: with a digit, mixed case that is no name, and digits or changes that no word has.
_LONG_CHARS_MIN: Final = 12
_MIXED_CASE_CHARS_MIN: Final = 8
_DIGITS_MIN: Final = 4
_CHANGES_MIN: Final = 3
_SHORT_CHARS_MAX: Final = 5
_HEX: Final = re.compile(r"(?=[a-f]*[0-9])[0-9a-f]{4,}|0x[0-9a-f]+|[a-f]{8,}", _FLAGS)
_ORDINAL: Final = re.compile(r"[0-9]+(?:st|nd|rd|th)?", _FLAGS)
_DIGIT_RUN: Final = re.compile(r"[0-9]+")
_NAME: Final = re.compile(r"(?:[A-Z]?[a-z]{2,}+|[A-Z]{2,}+(?![a-z])|[A-Z]{1,4}(?=[A-Z][a-z]))++")
_LONG_WORDS: Final = re.compile(r"[A-Z]?[a-z]{3,}")
# In a long token, where random letters often look like a name: `src`, `UserListView2`.
_PLAIN_NAME: Final = re.compile(
    r"(?=[A-Za-z]{2})(?:[a-z]*(?:[A-Z][a-z]{2,})*+|[A-Z]+)[0-9]{0,3}", re.ASCII
)
# `Base64Encoder`, `UserListView2`
_NAME_WITH_NUMBER: Final = re.compile(
    r"(?:[A-Z]?[a-z]{2,}|[A-Z]{2,10})++[0-9]{1,3}(?:[A-Z][a-z]{2,})*"
)
_BLANKS: Final = re.compile(r"[ \t]{2,}")


def remove_addresses(message: str) -> str:
    """Return the message without web and e-mail addresses, dates and keys."""
    return _join(mask_keys(_DATE.sub(" ", _ADDRESS.sub(" ", message)), " "))


def mask_keys(message: str, mask: str) -> str:
    """Return the message with a mask for every long token of which most is no word."""
    return _TOKEN.sub(lambda found: mask if _is_key(found[0]) else found[0], message)


def remove_ids(message: str, known: Collection[str] = ()) -> str:
    """Return the message without ids and numbers too; those that are `known` are words."""

    def keep_words(found: re.Match[str]) -> str:
        token = found[0]
        kept = _PART.sub(lambda part: part[0] if _is_word(part[0], known) else " ", token)
        return kept if kept == token else f" {kept.strip(_JOINTS + ' %')} "

    return _join(_TOKEN.sub(keep_words, remove_addresses(message)))


def _join(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def _is_key(token: str) -> bool:
    if len(token) < _KEY_CHARS_MIN or _DIGIT_RUN.search(token) is None:
        return False
    parts = _PART.findall(token)
    words = sum(len(part) for part in parts if _PLAIN_NAME.fullmatch(part))
    return 2 * words < sum(map(len, parts))


def _is_word(part: str, known: Collection[str]) -> bool:
    if part.isalpha():
        return (len(part) < _MIXED_CASE_CHARS_MIN or _is_name(part)) and not _HEX.fullmatch(part)
    return part.lower() in known or not _is_id(part)


def _is_name(part: str) -> bool:
    """Say whether letters are a word, or words in camel case."""
    if part.islower() or part.isupper() or _NAME.fullmatch(part):
        return True
    return 2 * sum(map(len, _LONG_WORDS.findall(part))) >= len(part)


def _is_id(part: str) -> bool:
    runs = _DIGIT_RUN.findall(part)
    changes = 2 * len(runs) - part[0].isdigit() - part[-1].isdigit()
    if _NAME_WITH_NUMBER.fullmatch(part) and not (part.isupper() and len(part) >= _LONG_CHARS_MIN):
        return False
    return (
        _ORDINAL.fullmatch(part) is not None
        or _HEX.fullmatch(part) is not None
        or len(part) >= _LONG_CHARS_MIN
        or (len(part) > _SHORT_CHARS_MAX and not part.islower() and not part.isupper())
        or sum(map(len, runs)) >= _DIGITS_MIN
        or changes >= (_CHANGES_MIN if len(part) <= _SHORT_CHARS_MAX else _CHANGES_MIN - 1)
    )
