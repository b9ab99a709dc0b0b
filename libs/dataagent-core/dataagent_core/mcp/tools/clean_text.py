"""Other people's words, made fit to be shown: no control characters, no more than there is room."""

import unicodedata

# Marks that turn the direction of text around, or do not show: they hide what is said.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_KEPT = frozenset("\n\t")
# Nothing is drawn for these although they count as letters or marks (Unicode's default ignorable
# code points), so that a text could hide in them. The two that choose how an emoji looks stay.
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
    """Take out what does not show itself, and cut what is too long."""
    # Cut first: a text can be a book. What is taken out only makes it shorter.
    cut = text[: chars_max + 1]
    shown = "".join(filter(_shows, cut)).strip()
    return shown if len(text) <= chars_max else shown[: chars_max - 1].rstrip() + "…"


def in_one_line(text: str, chars_max: int) -> str:
    """Do the same on one line."""
    return clean_text(" ".join(text[: 4 * chars_max].split()), chars_max)


def _shows(char: str) -> bool:
    if char in _KEPT:
        return True
    return unicodedata.category(char) not in _HIDDEN and char not in _NOT_DRAWN
