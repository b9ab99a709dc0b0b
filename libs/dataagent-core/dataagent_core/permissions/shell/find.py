"""`find`, taken apart: what it looks for, and the commands it would start."""

from dataagent_core.permissions.shell.word import UNKNOWN, Word

_STARTS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


def find_parts(words: list[Word]) -> tuple[list[Word], list[list[Word]], bool]:
    """Return find's own words, the commands it starts, and whether one of them has no end."""
    own: list[Word] = []
    started: list[list[Word]] = []
    inner: list[Word] | None = None
    for word in words:
        if inner is None:
            if word.text in _STARTS:
                inner = []
            else:
                own.append(word)
        elif word.text == ";" or (word.text == "+" and inner and inner[-1].text == UNKNOWN):
            started.append(inner)
            inner = None
        else:
            inner.append(Word(word.text.replace("{}", UNKNOWN), word.splits))
    if inner is not None:
        started.append(inner)
    return own, started, inner is not None
