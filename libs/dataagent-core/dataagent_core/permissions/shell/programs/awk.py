"""Whether an awk program only computes and prints: it runs, reads and writes nothing by itself.

The text is taken apart into tokens, so that `$3 > 100` is a comparison and `print > "x"` a file.
Where awks differ on what a token is (is `/` a division or does it begin an expression? where does
a number end?) the answer is no.
"""

import re
from typing import Literal

from dataagent_core.permissions.shell.names import names

_TOKEN = re.compile(
    r"""(?P<blank>[ \t]+|\#[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\[^\n])*")
      | (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?+(?![\w.]))
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>\|\||&&|>>|>=|<=|==|!=|!~|\+\+|--|[-+*%^]=|[-+*%^!~<>|?:,;(){}\[\]$=\n])
      | (?P<slash>/)""",
    re.VERBOSE | re.ASCII,
)
# Up to the next slash; one in brackets, and `/=` at the beginning, are another matter to each awk.
_EXPRESSION = re.compile(r"/(?!=)(?:[^/\\\n\[]|\\[^\n]|\[\^?[^\]\[/\\\n]+\])*/")
_REACHES_OUT = frozenset(
    {"system", "getline", "ENVIRON", "ARGV", "ARGC", "PROCINFO", "FUNCTAB", "SYMTAB"}
)
# Behind these a slash divides or begins an expression, which another slash would end.
_AMBIGUOUS_SIGNS = frozenset({")", "++", "--"})
# They are no values, and what a slash means behind them differs.
_RESERVED = names(
    "print printf in else do return length delete exit case default switch if while for function "
    "func next nextfile break continue BEGIN END BEGINFILE ENDFILE"
)
_WHILE_PRINTING = frozenset({">", ">>"})
_PRINTS = frozenset({"print", "printf"})

_SlashMeans = Literal["divides", "begins an expression", "either"]


def only_computes(program: str) -> bool:
    """Say whether a program runs, reads and writes nothing but its input and output."""
    place, printing = 0, False
    slash: _SlashMeans = "begins an expression"
    while place < len(program):
        found = _TOKEN.match(program, place)
        if found is None:
            return False
        kind, text = found.lastgroup or "", found[0]
        if kind == "slash":
            if slash == "begins an expression":
                found = _EXPRESSION.match(program, place)
                kind = "expression"
            elif slash == "either" and program.find("/", place + 1) >= 0:
                return False
            if found is None:
                return False
        elif text in _REACHES_OUT or text == "|" or (printing and text in _WHILE_PRINTING):
            return False
        if kind != "blank":
            printing = text in _PRINTS or (printing and text not in {";", "}"})
            slash = _slash_behind(kind, text)
        place = found.end()
    return True


def _slash_behind(kind: str, text: str) -> _SlashMeans:
    """Say what a slash means behind a token: behind a value it divides, elsewhere it cannot."""
    if kind == "expression" or text in _RESERVED or text in _AMBIGUOUS_SIGNS:
        return "either"
    is_value = kind in {"string", "number", "name"} or text == "]"
    return "divides" if is_value else "begins an expression"
