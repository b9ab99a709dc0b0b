"""Cleans untrusted text for display: no control characters, bounded length."""

import unicodedata

# Categories that reverse the direction of text or are invisible: they can hide words.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_KEPT = frozenset("\n\t")
# Invisible although they count as letters or marks (Unicode's default ignorable code points), so
# text could hide in them. The two that choose how an emoji looks are kept.
_NOT_DRAWN = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE0E),
            *range(0xE0000, 0xE1000),
        ),
    )
)


def clean_text(text: str, chars_max: int) -> str:
    """Remove invisible characters and truncate."""
    # Truncate first: the text may be very long, and cleaning only makes it shorter.
    cut = text[: chars_max + 1]
    shown = "".join(filter(_is_visible, cut)).strip()
    return shown if len(text) <= chars_max else shown[: chars_max - 1].rstrip() + "…"


def in_one_line(text: str, chars_max: int) -> str:
    """Clean a text and put it on one line."""
    return clean_text(" ".join(text[: 4 * chars_max].split()), chars_max)


def _is_visible(char: str) -> bool:
    if char in _KEPT:
        return True
    return unicodedata.category(char) not in _HIDDEN and char not in _NOT_DRAWN
