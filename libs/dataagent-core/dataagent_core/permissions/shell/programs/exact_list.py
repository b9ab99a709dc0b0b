"""The exact list: commands that are harmless without any sandbox behind them.

Each takes only the options listed, and no argument that names a file: it prints what it is told,
says where and who we are, or filters what it reads from a pipe. Every word is known.
"""

import re
from dataclasses import dataclass, field

from dataagent_core.permissions.shell.line import UNKNOWN, Word
from dataagent_core.permissions.shell.options import (
    OptionSyntax,
    UnknownOptionError,
    split_options,
)

_DIGITS = "0123456789"
_TEXT = re.compile(r".*", re.DOTALL)
_NUMBER = re.compile(r"\d+(\.\d+)?[smhd]?")


@dataclass(frozen=True, slots=True)
class ExactCommand:
    """Options, and how many operands that are no files of what form."""

    syntax: OptionSyntax = field(default_factory=OptionSyntax)
    operands_max: int = 0
    operand: re.Pattern[str] = _TEXT


def _make_exact(
    flags: str = "", valued: str = "", long_flags: str = "", long_valued: str = ""
) -> ExactCommand:
    syntax = OptionSyntax(flags, valued, tuple(long_flags.split()), tuple(long_valued.split()))
    return ExactCommand(syntax)


EXACT: dict[str, ExactCommand] = {
    "pwd": _make_exact("LP"),
    "true": _make_exact(),
    "false": _make_exact(),
    ":": _make_exact(),
    "exit": ExactCommand(operands_max=1, operand=re.compile(r"\d+")),
    "whoami": _make_exact(),
    "id": _make_exact("ugGn"),
    "groups": _make_exact(),
    "uname": _make_exact("asnrvmpio"),
    "arch": _make_exact(),
    "nproc": _make_exact("", "", "all"),
    "umask": _make_exact("S"),
    "ulimit": _make_exact("a"),
    "jobs": _make_exact("lp"),
    "kill": _make_exact("lL"),
    "date": ExactCommand(OptionSyntax("uRI"), 1, re.compile(r"\+.*", re.DOTALL)),
    "sleep": ExactCommand(operands_max=1, operand=_NUMBER),
    "seq": ExactCommand(OptionSyntax("w", "s"), 3, _NUMBER),
    "ls": _make_exact("1aAbBcCdFfgGhHiklLmnNopqQrRsStuUvxX", "", "all almost-all human-readable"),
    "cat": _make_exact("nAbEsTvetu"),
    "head": _make_exact("qv" + _DIGITS, "nc", "", "lines bytes"),
    "tail": _make_exact("qv" + _DIGITS, "nc", "", "lines bytes"),
    "wc": _make_exact("lwcmL", "", "lines words bytes chars"),
    "sort": _make_exact(
        "nrufbdghiMVzscR", "kt", "reverse unique numeric-sort", "key field-separator"
    ),
    "uniq": _make_exact("cdDiuz", "fsw", "count repeated unique"),
    "cut": _make_exact("snz", "bcdf", "complement", "delimiter fields characters output-delimiter"),
    "tr": ExactCommand(OptionSyntax("cCdst"), 2),
    "rev": _make_exact(),
    "tac": _make_exact(),
    "nl": _make_exact("", "bsw"),
    "fold": _make_exact("s", "w", "spaces", "width"),
    "column": _make_exact("t", "s", "table", "separator"),
    "grep": ExactCommand(OptionSyntax("ivnocqxwEFGPahHlLsz" + _DIGITS, "ABCm"), 1),
}
# Whatever they are told to print.
_PRINT = frozenset({"echo", "printf"})


def is_exact(words: tuple[Word, ...]) -> bool:
    """Say whether a command is on the exact list."""
    name = words[0].text
    exact = EXACT.get(name)
    if exact is None and name not in _PRINT:
        return False
    for text, splits, _ in words:
        if splits or UNKNOWN in text:
            return False
    if exact is None:
        return name == "echo" or (len(words) > 1 and not words[1].text.startswith("-"))
    if len(words) == 1:
        return True
    try:
        _, operands = split_options([*words[1:]], exact.syntax)
    except UnknownOptionError:
        return False
    return len(operands) <= exact.operands_max and all(
        exact.operand.fullmatch(word.text) for word in operands
    )
