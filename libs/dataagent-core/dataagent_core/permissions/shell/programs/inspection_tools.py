"""Programs that look with some of their sub-commands and options: package managers, archives, ps.

Several of them run code of the project on the way (a wrapper of `cargo`, a `.pth` file of Python),
which is one reason why what only looks runs read-only and without the network.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dataagent_core.permissions.shell.line import Word, names
from dataagent_core.permissions.shell.options import (
    OptionSyntax,
    UnknownOptionError,
    split_options,
)


@dataclass(frozen=True, slots=True)
class _LookCommands:
    """Sub-commands that look, and the options they may have; with any other they may do more."""

    commands: frozenset[str]
    syntax: OptionSyntax = field(default_factory=OptionSyntax)


def _make_looks(
    commands: str, flags: str = "", valued: str = "", long_flags: str = "", long_valued: str = ""
) -> _LookCommands:
    long = tuple(long_flags.split()), tuple(long_valued.split())
    return _LookCommands(names(commands), OptionSyntax(flags, valued, *long))


_PIP = _make_looks(
    "list show freeze check",
    "vqlou",
    "",
    "verbose quiet local outdated uptodate user pre not-required all no-color isolated "
    "disable-pip-version-check exclude-editable",
    "format exclude",
)
_NPM = _make_looks(
    "ls list ll root prefix explain why",
    "aglpr",
    "w",
    "all json long parseable global production dev link recursive silent",
    "depth omit include only workspace filter pattern",
)
_SUB_COMMANDS = {
    "pip": _PIP,
    "pip3": _PIP,
    "npm": _NPM,
    "pnpm": replace(_NPM, commands=names("ls list why root")),
    "yarn": replace(_NPM, commands=names("list why")),
    "cargo": _make_looks(
        "tree metadata",
        "vqd",
        "pefFi",
        "all-features no-default-features workspace locked offline frozen no-deps duplicates "
        "verbose quiet no-dedupe",
        "package depth edges invert format features target prefix charset format-version",
    ),
    "uv": _make_looks(
        "tree", "vq", "", "frozen locked no-dedupe invert no-dev all-groups", "depth package"
    ),
    "poetry": _make_looks("show", "tlaT", "", "tree top-level all latest outdated"),
    "rustup": _make_looks("show", "v"),
    "gem": _make_looks(
        "list", "ldai", "", "local details all versions no-versions installed exact"
    ),
    "apt": _make_looks("list show", "a", "", "installed upgradable all-versions manual-installed"),
    "brew": _make_looks("list info", "1", "", "formula cask versions"),
    "dpkg": _make_looks("-l -L -s -S --list --status"),
    "rpm": _make_looks("-q -qa -qi -ql"),
}
# Go takes its options with one dash or with two.
_GO_FLAGS = {
    "list": names("m json deps test e find versions"),
    "doc": names("all src short u c cmd"),
    "env": names("json changed"),
}
_GO_VALUED = {"list": names("f")}
_LESS = OptionSyntax(
    "aCeEfFgGiIKmMnNqQrRsSuUwWX",
    "pxz",
    (
        *("line-numbers", "LINE-NUMBERS", "chop-long-lines", "RAW-CONTROL-CHARS", "no-init"),
        *("quit-if-one-screen", "quit-at-eof", "ignore-case", "IGNORE-CASE"),
    ),
)
# Without a dash an `e` shows the environment.
_PS = re.compile(r"-(?:e|f|ef|A|l|w|ww)|aux|ax|a|u|x|auxw+|auxf|\d+|--sort=[\w%,+-]+|--no-headers")
_PS_VALUED = names("-o -eo -axo -ao -p -u -C --sort -O")
_PS_VALUE = re.compile(r"(?!.*environ)[\w%,=:+.-]+")
_TOP = re.compile(r"-b|-n|\d+|-bn\d*|-n\d+|-c|-H")
_LIST_ARCHIVE = OptionSyntax(
    "tvzjJa",
    "f",
    ("list", "verbose", "gzip", "bzip2", "xz", "wildcards", "full-time"),
    ("file", "exclude"),
)
# With `-l` or `-t` it tells, with `-c` it writes to the output.
_GZIP = OptionSyntax("cdltvqn")
_UNZIP = OptionSyntax("lvZt1")
_XXD = OptionSyntax("abeiups", "cglso")


def only_looks(name: str, words: list[Word]) -> bool:
    """Say whether a program, with the words behind its name, only looks."""
    if not all(word.known or word.pattern for word in words):
        return False
    if name in _BY_OPTIONS:
        return _BY_OPTIONS[name](words)
    if name == "uv" and words[:1] == [Word("pip")]:
        name, words = "pip", words[1:]
    looks = _SUB_COMMANDS[name]
    return bool(words) and words[0].text in looks.commands and _fits(words[1:], looks.syntax)


def _go_looks(words: list[Word]) -> bool:
    command = words[0].text if words else ""
    flags, valued = _GO_FLAGS.get(command), _GO_VALUED.get(command, frozenset[str]())
    if flags is None:
        return False
    rest = iter(words[1:])
    for word in rest:
        option, sign, _ = word.text.removeprefix("-").removeprefix("-").partition("=")
        if not word.text.startswith("-") or option in flags:
            continue
        if option not in valued or (not sign and next(rest, None) is None):
            return False
    return True


def _less_looks(words: list[Word]) -> bool:
    """Say whether a pager shows; `+` before a word makes it a command of the pager's."""
    return _fits(words, _LESS) and not any(word.text.startswith("+") for word in words)


def _ps_looks(words: list[Word]) -> bool:
    rest = iter(words)
    for word in rest:
        if word.text in _PS_VALUED:
            value = next(rest, None)
            if value is None or not _PS_VALUE.fullmatch(value.text):
                return False
        elif not _PS.fullmatch(word.text):
            return False
    return True


def _top_looks(words: list[Word]) -> bool:
    in_batch = any(word.text.startswith("-b") for word in words)
    return in_batch and all(_TOP.fullmatch(word.text) for word in words)


def _gzip_looks(words: list[Word]) -> bool:
    tells = any(word.text[:1] == "-" and not {*"ltc"}.isdisjoint(word.text) for word in words)
    return tells and _fits(words, _GZIP)


def _unzip_lists(words: list[Word]) -> bool:
    lists = any(word.text in {"-l", "-v", "-Z", "-Z1"} for word in words)
    return lists and _fits(words, _UNZIP)


def _xxd_looks(words: list[Word]) -> bool:
    return _fits(words, _XXD, operands_max=1)


def _hostname_looks(words: list[Word]) -> bool:
    return not words or (len(words) == 1 and words[0].text in {"-s", "-f", "-I"})


def _lists_archive(words: list[Word]) -> bool:
    """Say whether tar lists; its first word is options even without a dash."""
    if words and not words[0].text.startswith("-"):
        words = [Word("-" + words[0].text), *words[1:]]
    return any("t" in word.text for word in words[:1]) and _fits(words, _LIST_ARCHIVE)


def _fits(words: list[Word], syntax: OptionSyntax, operands_max: int | None = None) -> bool:
    try:
        _, operands = split_options(words, syntax)
    except UnknownOptionError:
        return False
    return operands_max is None or len(operands) <= operands_max


_BY_OPTIONS: dict[str, Callable[[list[Word]], bool]] = {
    "go": _go_looks,
    "less": _less_looks,
    "more": _less_looks,
    "ps": _ps_looks,
    "top": _top_looks,
    "gzip": _gzip_looks,
    "tar": _lists_archive,
    "unzip": _unzip_lists,
    "xxd": _xxd_looks,
    "hostname": _hostname_looks,
}
INSPECTING = frozenset(_SUB_COMMANDS) | frozenset(_BY_OPTIONS)
