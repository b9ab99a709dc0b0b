r"""Statements so plain that they need no tree: ordinary words, closed quotes, simple redirections.

Most commands of an agent are plain. Nothing in them is expanded, so their meaning is certain from
the text alone; everything else is read from the tree (`script.py`). Several lines are several
commands here, even where the grammar takes them for one: it reads `a | b | c\nd && e` as `c d`.
"""

import re
from typing import NamedTuple

from dataagent_core.permissions.shell.line import FileUse, Word, known_word, names

_ENDS = r"(?=[ \t\n;|]|&&|\Z)"
_ORDINARY = "A-Za-z0-9_./:@%+-"
# A word: ordinary characters, `{}` of find, quotes that hold nothing special, escapes.
_WORD = rf"""(?:[={_ORDINARY}]++|\{{\}}|'[^']*+'|"[^"$`\\!]*+"|\\[^\n])++{_ENDS}"""
# The first one has no `=`, which may set a variable, and no quotes, which may hide a keyword.
_PROGRAM = rf"[{_ORDINARY}]++{_ENDS}"
_SIGN = r"(?:[0-9]*+(?:>>?|<)|&>>?)"
_PATH = rf"[A-Za-z0-9_./-]++{_ENDS}"
_COPY = rf"[0-9]*+[<>]&(?:[0-9]++|-){_ENDS}"
_COMMAND = rf"{_PROGRAM}(?:[ \t]++(?:{_WORD}|{_SIGN}[ \t]*+{_PATH}|{_COPY}))*+"

_ONE_COMMAND = re.compile(_COMMAND)
_STATEMENT = re.compile(rf"{_COMMAND}(?:[ \t]*+(?:\|\||&&|[|;\n])\s*+{_COMMAND})*+")
_TOKEN = re.compile(rf"({_WORD})|({_SIGN})[ \t]*+({_PATH})|{_COPY}")
_NOT_ORDINARY = re.compile(r"""['"\\<>]""")
_QUOTES = re.compile(r"""'([^']*)'|"([^"]*)"|\\(.)""", re.DOTALL)

# Words of the language, and those that set variables: they are no programs.
_LANGUAGE = names(
    "if then elif else fi for while until do done case esac in function select time coproc "
    "export declare typeset local readonly unset let"
)


class PlainCommand(NamedTuple):
    """A simple command, and the files its redirections open."""

    words: list[Word]
    files: list[FileUse]


def read_plain_statement(text: str) -> list[PlainCommand] | None:
    """Give the commands of a plain statement; None where the tree is needed."""
    if not _STATEMENT.fullmatch(text):
        return None
    commands = [_read_command(found) for found in _ONE_COMMAND.findall(text)]
    for command in commands:
        if command.words[0].text in _LANGUAGE:
            return None
    return commands


def _read_command(text: str) -> PlainCommand:
    if not _NOT_ORDINARY.search(text):
        return PlainCommand([known_word((word, False, False)) for word in text.split()], [])
    words: list[Word] = []
    files: list[FileUse] = []
    for word, sign, path in _TOKEN.findall(text):
        if word:
            words.append(known_word((_remove_quotes(word), False, False)))
        elif path:
            how = "read" if sign.endswith("<") else "write"
            files.append(FileUse(known_word((path, False, False)), how))
    return PlainCommand(words, files)


def _remove_quotes(word: str) -> str:
    quoted = "'" in word or '"' in word or "\\" in word
    return _QUOTES.sub(_get_unquoted, word) if quoted else word


def _get_unquoted(found: re.Match[str]) -> str:
    return found[found.lastindex or 0]
