"""Programs that look with some of their sub-commands or options: package managers, archives, ps.

Several of them run code of the project on the way (a wrapper of `cargo`, a `.pth` file of Python),
which is one reason why what only looks runs read-only and without the network.
"""

import re
from collections.abc import Callable

from dataagent_core.permissions.shell.name_list import names
from dataagent_core.permissions.shell.options import (
    OptionSyntax,
    UnknownOptionError,
    options_and_operands,
)
from dataagent_core.permissions.shell.word import Word

_SUB_COMMANDS = {
    "pip": names("list show freeze check"),
    "pip3": names("list show freeze check"),
    "npm": names("ls list ll root prefix explain why"),
    "pnpm": names("ls list why root"),
    "yarn": names("list why"),
    "cargo": names("tree metadata"),
    "uv": names("tree"),
    "rustup": names("show"),
    "gem": names("list"),
    "apt": names("list show"),
    "brew": names("list info"),
    "dpkg": names("-l -L -s -S --list --status"),
    "rpm": names("-q -qa -qi -ql"),
}
# Without a dash an `e` shows the environment.
_PS = re.compile(r"-(?:e|f|ef|A|l|w|ww|o|eo|p)|aux|ax|a|u|x|auxw+|auxf|\d+|[a-z]+(?:,[a-z]+)+")
_LIST_ARCHIVE = OptionSyntax("tvzjJa", "f", ("list", "verbose", "gzip", "bzip2", "xz"), ("file",))
_UNZIP = OptionSyntax("lvZt1")
_XXD = OptionSyntax("abeiups", "cglso")


def only_looks(name: str, words: list[Word]) -> bool:
    """Say whether a program, with the words behind its name, only looks."""
    if not all(word.known for word in words):
        return False
    if name in _BY_OPTIONS:
        return _BY_OPTIONS[name](words)
    return bool(words) and words[0].text in _SUB_COMMANDS[name]


def _go(words: list[Word]) -> bool:
    if words[:1] == [Word("env")]:
        return all(word.text == "-json" or word.text[:1] != "-" for word in words[1:])
    return bool(words) and words[0].text in {"list", "doc"}


def _ps(words: list[Word]) -> bool:
    return all(_PS.fullmatch(word.text) for word in words)


def _unzip(words: list[Word]) -> bool:
    lists = any(word.text in {"-l", "-v", "-Z", "-Z1"} for word in words)
    return lists and _fits(words, _UNZIP)


def _xxd(words: list[Word]) -> bool:
    return _fits(words, _XXD, operands_max=1)


def _hostname(words: list[Word]) -> bool:
    return not words or (len(words) == 1 and words[0].text in {"-s", "-f", "-I"})


def _lists_archive(words: list[Word]) -> bool:
    """Say whether tar lists; its first word is options even without a dash."""
    if words and not words[0].text.startswith("-"):
        words = [Word("-" + words[0].text), *words[1:]]
    return any("t" in word.text for word in words[:1]) and _fits(words, _LIST_ARCHIVE)


def _fits(words: list[Word], syntax: OptionSyntax, operands_max: int | None = None) -> bool:
    try:
        _, operands = options_and_operands(words, syntax)
    except UnknownOptionError:
        return False
    return operands_max is None or len(operands) <= operands_max


_BY_OPTIONS: dict[str, Callable[[list[Word]], bool]] = {
    "go": _go,
    "ps": _ps,
    "tar": _lists_archive,
    "unzip": _unzip,
    "xxd": _xxd,
    "hostname": _hostname,
}
INSPECTING = frozenset(_SUB_COMMANDS) | frozenset(_BY_OPTIONS)
