"""Finds personal values in text: e-mail addresses, phone, identity and card numbers. Pure.

Numbers with a check digit must pass the check. Names of people have no shape and are not found.
`tools/data/privacy/` masks the results of queries with it, `patterns/scrub.py` what is kept of a
conversation.
"""

import re
from collections.abc import Iterable
from typing import Final

_EMAIL: Final = re.compile(
    r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
)
_PHONE_CN: Final = re.compile(r"(?<!\d)(?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?!\d)")
_PHONE: Final = re.compile(r"(?<![\w+])\+\d{1,3}[ -]?\(?\d{1,4}\)?(?:[ -]?\d{2,4}){2,4}(?!\d)")
_ID_CN: Final = re.compile(r"(?<!\d)\d{17}[\dXx](?![\dXx])")
_CARD: Final = re.compile(r"(?<!\d)(?:\d[ -]?){13,19}(?!\d)")
_SSN: Final = re.compile(r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)")


def find_personal_texts(text: str) -> Iterable[tuple[str, str]]:
    """Yield the personal values in a text, with their kinds."""
    for match in _EMAIL.finditer(text):
        yield "email", match.group()
    for match in _ID_CN.finditer(text):
        if _has_valid_id_digit(match.group()):
            yield "id number", match.group()
    for match in _SSN.finditer(text):
        yield "id number", match.group()
    for match in _PHONE_CN.finditer(text):
        yield "phone", match.group()
    for match in _PHONE.finditer(text):
        yield "phone", match.group()
    for match in _CARD.finditer(text):
        if passes_luhn(match.group()):
            yield "card", match.group()


def _has_valid_id_digit(number: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(digit) * weight for digit, weight in zip(number, weights, strict=False))
    return "10X98765432"[total % 11] == number[-1].upper()


def passes_luhn(number: str) -> bool:
    """Say whether the last digit of a card number checks the others."""
    digits = [int(digit) for digit in number if digit.isdigit()]
    if len(set(digits)) < 3:  # noqa: PLR2004 - 0000 0000 0000 0000 passes the check and is no card
        return False
    doubled = [d if i % 2 == 0 else d * 2 - 9 * (d > 4) for i, d in enumerate(reversed(digits))]  # noqa: PLR2004
    return sum(doubled) % 10 == 0
