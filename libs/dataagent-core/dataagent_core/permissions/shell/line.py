"""What a command line would do, as values: words, simple commands, files, and doubts."""

import posixpath
import re
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal, NamedTuple

# Where the system's own programs are; nothing a run can write to.
_SYSTEM = frozenset({"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin"})
# Stands in `Word.text` for what only running the command would tell. A command line that holds
# this character itself is refused before it is read (`parser/script.py`).
UNKNOWN: Final = "\x00"
# A file called `-x.py` would have to be there for `*.py` to become an option.
_ENDING = re.compile(r"\.\w+$", re.ASCII)
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
TOO_MUCH: Final = "it is too long or nested too deeply to be looked at"


class Word(NamedTuple):
    """One word; `splits`: it may turn out to be none or several.

    `pattern`: it does so only because it is a pattern for file names, such as `src/*.py`.

    A tuple, because a line has hundreds and a frozen dataclass takes three times as long to make.
    """

    text: str
    splits: bool = False
    pattern: bool = False

    @property
    def known(self) -> bool:
        """Whether every character is certain."""
        return UNKNOWN not in self.text and not self.splits

    @property
    def may_be_option(self) -> bool:
        """Whether the program may read it as an option nobody can see here."""
        if self.pattern:
            return self.text[:1] in {UNKNOWN, "-"} and not _ENDING.search(self.text)
        return not self.known and (self.text[:1] in {UNKNOWN, "-", ""} or self.splits)

    def __str__(self) -> str:
        if self.known and _PLAIN.fullmatch(self.text):
            return self.text
        shown = self.text.replace(UNKNOWN, "…")
        return "'" + shown.replace("'", "'\\''") + "'" if self.known else shown


# Makes a word from its three fields, without `Word.__new__`, which costs more than the rest of it.
known_word: Final = partial(tuple.__new__, Word)


SOMETHING: Final = Word(UNKNOWN, splits=True)


class SimpleCommand(NamedTuple):
    """One program with its words.

    `doubt` says why it must be asked. `carrier`: it only starts the command that is judged next to
    it, so only a rule that forbids or asks about it counts.
    """

    words: tuple[Word, ...]
    doubt: str | None = None
    carrier: bool = False

    @property
    def name(self) -> str:
        """The program's name, as far as it is known."""
        return self.words[0].text

    def __str__(self) -> str:
        return " ".join(str(word) for word in self.words)


# Makes a command from its three fields without `SimpleCommand.__new__`; a line has dozens.
new_command: Final = partial(tuple.__new__, SimpleCommand)


class FileUse(NamedTuple):
    """A file that a redirection opens."""

    path: Word
    how: Literal["read", "write"]


@dataclass(slots=True)
class ShellLine:
    """Everything found in one command line, filled while it is read.

    `moves`: the directory changes on the way, so that relative paths lead nobody knows where.
    `plain`: it was read from its text alone (`parser/plain_statement.py`), without the grammar.
    `deep`: how many statements, scripts and programs enclose what is read now.
    `started`: how many commands were looked for behind the programs of `runners.py`. The files and
    doubts found there count only where a rule holds something back.
    """

    commands: list[SimpleCommand] = field(default_factory=list[SimpleCommand])
    files: list[FileUse] = field(default_factory=list[FileUse])
    doubts: list[str] = field(default_factory=list[str])
    moves: bool = False
    plain: bool = True
    deep: int = 0
    started: int = 0
    started_files: list[FileUse] = field(default_factory=list[FileUse])
    started_doubts: list[str] = field(default_factory=list[str])

    def doubt(self, reason: str) -> None:
        """Note something that cannot be known, once."""
        if reason not in self.doubts:
            self.doubts.append(reason)


def names(text: str) -> frozenset[str]:
    """Make a set of the names in a text."""
    return frozenset(text.split())


def program_name(text: str) -> str:
    """Write `/usr/bin/rm` as `rm`; `./rm` may be anything and keeps its path."""
    if "/" not in text:
        return text
    folder, name = posixpath.split(posixpath.normpath(text))
    return name if text.startswith("/") and "/" + folder.lstrip("/") in _SYSTEM else text


def bare_name(text: str) -> str:
    """Give the last part of a path: what a rule that forbids should be compared with, too."""
    return text.rsplit("/", maxsplit=1)[-1]
