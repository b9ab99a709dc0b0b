"""A word of a command as bash would hand it to the program, as far as that can be known."""

import re
from functools import partial
from typing import Final, NamedTuple

# Stands in `Word.text` for what only running the command would tell. A command line that holds
# this character itself is refused before it is read (`parser/script.py`).
UNKNOWN: Final = "\x00"

# A file called `-x.py` would have to be there for `*.py` to become an option.
_ENDING = re.compile(r"\.\w+$", re.ASCII)
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)


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
