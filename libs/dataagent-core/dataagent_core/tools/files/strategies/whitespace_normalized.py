"""Finds the same words in the same order, whatever white space stands between them."""

import re

from dataagent_core.config.limits import EDIT_FUZZY_WORDS_MAX, EDIT_PLACES_MAX
from dataagent_core.tools.files.strategies.replacement import Replacement

_WORDS_MIN = 2
_WORD = re.compile(r"\w\w")
_INDENT = re.compile(r"[ \t]*")


def whitespace_normalized(text: str, old: str, new: str) -> list[Replacement]:
    """Compare with every run of white space taken for one space."""
    words = old.split()
    # One word alone has no white space to differ in, and would be found inside others.
    if not _WORDS_MIN <= len(words) <= EDIT_FUZZY_WORDS_MAX:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    wanted = _trimmed_like(old, new)
    found: list[Replacement] = []
    match = pattern.search(text)
    while match and len(found) <= EDIT_PLACES_MAX:
        start, end = match.span()
        if not _inside_a_word(text, start) and not _inside_a_word(text, end):
            found.append(Replacement(start, end, _reindented(text, start, old, wanted)))
        match = pattern.search(text, start + 1)
    return found


def _inside_a_word(text: str, position: int) -> bool:
    """Say whether a word goes on across a position: "a b" must not be found in "xa bc"."""
    return bool(_WORD.fullmatch(text, max(position - 1, 0), position + 1))


def _trimmed_like(old: str, new: str) -> str:
    """Drop from the new string the white space at its ends that the old one had there as well."""
    if old[0].isspace():
        new = new.lstrip()
    return new.rstrip() if old[-1].isspace() else new


def _reindented(text: str, start: int, old: str, new: str) -> str:
    """Move the lines after the first by as much as the file is indented differently."""
    if "\n" not in new:
        return new
    line = text[text.rfind("\n", 0, start) + 1 : start]
    was, now = _indent(old), line if not line.strip() else _indent(line)
    first, *rest = new.split("\n")
    return "\n".join([first, *(_moved(part, was, now) for part in rest)])


def _moved(line: str, was: str, now: str) -> str:
    return now + line[len(was) :] if line.strip() and line.startswith(was) else line


def _indent(text: str) -> str:
    found = _INDENT.match(text.lstrip("\n"))
    return found[0] if found else ""
