"""A tool's purpose in one line.

Descriptions of tools from outside are other people's text in our prompt: only their first sentence
gets in, on one line and cut, so that there is no room for a page of instructions.
"""

import re

_SENTENCE_END = re.compile(r"(?<=[.!?])\s|(?<=[。！？])")  # noqa: RUF001 (Chinese punctuation)
# More than any line holds; a description from outside can be a book.
_READ_CHARS_MAX = 500


def one_line(description: str, chars_max: int) -> str:
    """Return the first sentence, within this many characters."""
    text = description[:_READ_CHARS_MAX]
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    sentence = _SENTENCE_END.split(" ".join(text.split()), maxsplit=1)[0].rstrip(".。")
    if len(sentence) <= chars_max:
        return sentence
    if chars_max <= 0:
        return ""
    at_word, _, _ = sentence[:chars_max].rpartition(" ")
    # Chinese has no spaces to cut at, and a late space is better than half a word.
    kept = at_word if len(at_word) * 2 > chars_max else sentence[: chars_max - 1]
    return kept.rstrip(" ,;:") + "…"
