"""What a command line would do, as values: simple commands, files, and what cannot be known."""

from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal, NamedTuple

from dataagent_core.permissions.shell.word import Word


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


TOO_MUCH: Final = "it is too long or nested too deeply to be looked at"


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
