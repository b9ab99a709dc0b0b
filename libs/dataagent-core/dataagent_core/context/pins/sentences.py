"""Splits a text into the lines and sentences that pins quote."""

import re

from dataagent_core.config.limits.context import PIN_CHARS_MAX, PIN_TEXT_SCANNED_CHARS_MAX

# The end of a sentence is followed by a space, so that 3.5 and orders.csv are not split; Chinese
# marks need none.
_ENDS = re.compile(r"(?<=[.!?;])\s+|(?<=[\u3002\uff01\uff1f\uff1b])\s*|[\r\n\v\f\x85\u2028\u2029]+")


def sentences(text: str) -> list[str]:
    """List the sentences of a text, word for word, without the space around them."""
    parts = [part for end in ends(text) for part in _ENDS.split(end)]
    return [part.strip() for part in parts if part and part.strip()]


def ends(text: str, chars_max: int = PIN_TEXT_SCANNED_CHARS_MAX) -> list[str]:
    """Return the parts of a text to scan: all of it, or the beginning and the end of a long one."""
    if len(text) <= 2 * chars_max:
        return [text]
    return [text[:chars_max], text[-chars_max:]]


def one_line(text: str, chars_max: int = PIN_CHARS_MAX) -> str:
    """Write a text on one line, and no longer than a pin may be."""
    line = " ".join(text[: chars_max * 4].split())
    return line if len(line) <= chars_max else f"{line[: chars_max - 1]}\u2026"
