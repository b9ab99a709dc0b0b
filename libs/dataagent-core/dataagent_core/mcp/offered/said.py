"""Other people's words, made fit to be shown: no control characters, no more than there is room."""

import unicodedata

# Marks that turn the direction of text around, or do not show: they hide what is said.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_KEPT = frozenset("\n\t")


def cleaned(text: str, chars_max: int) -> str:
    """Take out what does not show itself, and cut what is too long."""
    # Cut first: a text can be a book. What is taken out only makes it shorter.
    cut = text[: chars_max + 1]
    shown = "".join(c for c in cut if c in _KEPT or unicodedata.category(c) not in _HIDDEN).strip()
    return shown if len(text) <= chars_max else shown[: chars_max - 1].rstrip() + "…"


def in_one_line(text: str, chars_max: int) -> str:
    """Do the same on one line."""
    return cleaned(" ".join(text[: 4 * chars_max].split()), chars_max)
