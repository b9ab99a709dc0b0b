"""Takes secrets and personal data out of text before anything of it is stored. Pure.

Every text of a pattern passes `scrub`. It masks rather too much than too little: a pattern needs
the way of working, not the values, so every long number and every key-like word goes, whatever it
is. Names of people have no shape; a pattern keeps none of what tools returned, and its name and
description have slots where a name is recognised (`slots.py`).
"""

import re
import unicodedata
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final

from dataagent_core.config.limits.patterns import PATTERN_TEXT_CHARS_MAX, TRACE_TEXT_CHARS_MAX
from dataagent_core.language.personal_text import find_personal_texts
from dataagent_core.language.text_ends import keep_whole_ends
from dataagent_core.language.unicode_text import storable
from dataagent_core.models.embeddings.message_ids import mask_keys
from dataagent_core.secrets.spoken_secret import mask_spoken_secrets

_HIDDEN: Final = "[secret]"
# Streets with a number, and number plates.
_PLACE_CHINESE: Final = re.compile(
    r"[\u4e00-\u9fff]{1,16}(?:路|街|大道|巷|弄|胡同|村|小区|小區)\s?\d{1,5}\s?[号號弄栋棟幢座]"
    r"[\u4e00-\u9fff\d-]{0,20}"
)
_PLACE: Final = re.compile(
    r"(?<!\w)\d{1,5}[A-Za-z]?\s(?:[A-Z][A-Za-z'.]{1,20}\s){1,3}"
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Square|Sq)\b"
)
_PLATE: Final = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Z]·?"
    r"(?=[A-Z]{0,5}\d)[A-HJ-NP-Z0-9]{5,6}(?![A-Za-z0-9])"
)
_EMAIL: Final = re.compile(r"[^\s@<>()\[\]\"',;:。,]{1,64}@[^\s@<>()\[\]\"',;:。,]{1,253}")
_IBAN: Final = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{2,4}){3,8}(?![A-Za-z0-9])"
)
_IBAN_CHARS: Final = (15, 34)
_IPV4: Final = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)")
_IPV6: Final = re.compile(r"(?<![\w:])[0-9a-f:]{2,39}(?:\.\d{1,3}){0,3}(?![\w:])", re.IGNORECASE)
# Seven digits with whatever people put between them; a date alone is none.
_NUMBER: Final = re.compile(r"\+?\d(?:[ \t()./_-]{0,3}\d){6,}[Xx]?")
_DATE: Final = re.compile(r"(?:19|20)\d\d([-/.]?)(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])")
_BLANKS: Final = re.compile(r"\s+")


def scrub(text: str, chars_max: int = PATTERN_TEXT_CHARS_MAX) -> str:
    """Return a text of one line as it may be stored, without secrets and personal data."""
    text = mask_spoken_secrets(_normalise(keep_whole_ends(text, TRACE_TEXT_CHARS_MAX)), _HIDDEN)
    text = _EMAIL.sub("[email]", text)
    for place in (_PLACE_CHINESE, _PLACE):
        text = place.sub("[place]", text)
    text = _PLATE.sub("[plate]", text)
    for kind, found in list(find_personal_texts(text)):
        text = text.replace(found, f"[{kind}]")
    text = _replace(_IBAN, text, "[account]", _is_iban)
    text = _replace(_IPV4, text, "[address]", _is_address)
    text = _replace(_IPV6, text, "[address]", _is_address)
    text = _replace(_NUMBER, text, "[number]", lambda found: not _DATE.fullmatch(found))
    text = mask_keys(text, _HIDDEN)
    line = _BLANKS.sub(" ", text).strip()
    return line if len(line) <= chars_max else f"{line[: chars_max - 1]}…"


def holds_private(text: str) -> bool:
    """Say whether a text holds secrets or personal data."""
    plain = _BLANKS.sub(" ", _normalise(keep_whole_ends(text, TRACE_TEXT_CHARS_MAX))).strip()
    return scrub(text, 2 * TRACE_TEXT_CHARS_MAX) != plain


def _normalise(text: str) -> str:
    """Give each sign its plain form, so that what is written in other digits is found too."""
    plain = unicodedata.normalize("NFKC", storable(text))
    return "".join(
        sign for sign in plain if sign in "\t\n\r" or unicodedata.category(sign)[0] != "C"
    )


def _replace(
    pattern: re.Pattern[str], text: str, mask: str, is_found: Callable[[str], bool]
) -> str:
    return pattern.sub(lambda match: mask if is_found(match[0]) else match[0], text)


def _is_iban(text: str) -> bool:
    signs = re.sub(r"[ -]", "", text).upper()
    if not _IBAN_CHARS[0] <= len(signs) <= _IBAN_CHARS[1]:
        return False
    moved = signs[4:] + signs[:4]
    return int("".join(str(int(sign, 36)) for sign in moved)) % 97 == 1


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
