"""Edits whose old string was in an earlier version of the file, or is no longer there at all."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from random import Random

from edit_corpus.changes import Change, changes_of
from edit_corpus.versions import Versions


@dataclass(frozen=True, slots=True)
class StaleEdit:
    """An edit and a text that its old string is not in."""

    path: str
    text: str
    old: str
    new: str


def stale_edits(versions: Iterable[Versions], random: Random) -> Iterator[StaleEdit]:
    """Ask the newer version for a change of lines as they were in the older one."""
    for pair in versions:
        for change in changes_of(pair, random):
            if change.old not in pair.after:
                yield StaleEdit(pair.path, pair.after, change.old, _changed(change.old, random))


def removed_edits(changes: Iterable[Change]) -> Iterator[StaleEdit]:
    """Ask for a change of lines that were removed: wherever it is made, it is wrong."""
    for change in changes:
        text = change.text.replace(change.old, "")
        if change.old not in text and change.old.count("\n") > 1:
            yield StaleEdit(change.path, text, change.old, change.new)


def unnamed_lines(edit: StaleEdit, text: str) -> list[str]:
    """Give the lines of a file that an edit took away although its old string has none like them."""
    before, after = edit.text.split("\n"), text.split("\n")
    named = {tuple(line.split()) for line in edit.old.split("\n")}
    return [
        line
        for what, i1, i2, _, _ in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if what in {"delete", "replace"}
        for line in before[i1:i2]
        if line.strip() and tuple(line.split()) not in named
    ]


def _changed(old: str, random: Random) -> str:
    """Change one line as a model might: another text, a line more, or a line less."""
    lines = old.split("\n")
    filled = [index for index, line in enumerate(lines) if line.strip()]
    at = random.choice(filled)
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    instead = random.choice([[f"{indent}changed()"], [lines[at], f"{indent}added()"], []])
    return "\n".join([*lines[:at], *instead, *lines[at + 1 :]])
