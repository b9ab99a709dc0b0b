"""Code that a command hands to an interpreter: in a word, or as its input.

No rule sees what such code does. Only the kernel restricts it, and it restricts reads; so auto mode
does not approve it while a rule holds commands or writes back (`mode.py`). A script of the project
is different: auto mode exists to run those.
"""

import posixpath
import re
from typing import Final, NamedTuple

from dataagent_core.permissions.shell.line import Word, names
from dataagent_core.permissions.shell.risky_options import (
    RiskyOptions,
    find_entry,
    find_table_words,
    make_risks,
)
from dataagent_core.permissions.shell.runners import list_started_commands

_PYTHON = make_risks("c", "timeit", valued="WXm")
_NODE = make_risks("ep", "--eval --print", valued="rC", abbreviates=False)
INTERPRETERS: Final[dict[str, RiskyOptions]] = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "ipython"), _PYTHON),
    **dict.fromkeys(("node", "nodejs"), _NODE),
    "bun": make_risks("ep", "--eval --print"),
    "deno": make_risks("", "eval repl"),
    "perl": make_risks("eE", valued="IMm"),
    "ruby": make_risks("e", valued="rICE"),
    "php": make_risks("rBRE", "--run --process-begin --process-code --process-end", valued="dcz"),
    "lua": make_risks("e", valued="l"),
    "luajit": make_risks("e", valued="l"),
    "Rscript": make_risks("e"),
    "R": make_risks("e"),
    "julia": make_risks("eE", "--eval --print", valued="LJptCH"),
    "groovy": make_risks("e"),
    "scala": make_risks("e"),
    "ghc": make_risks("e"),
    "osascript": make_risks("e"),
    "elixir": make_risks("e", "--eval --rpc-eval"),
    "racket": make_risks("e", "--eval"),
    "guile": make_risks("c"),
    "sbcl": make_risks("", "--eval"),
    "pwsh": make_risks("", "-c -Command -command -EncodedCommand -ec -e"),
    "tclsh": make_risks(),
    "wish": make_risks(),
    "dc": make_risks("e", "--expression"),
    "m4": make_risks("D"),
    "ocaml": make_risks("e"),
}
# Without a file they read code from their input; the others start something else then.
_WITH_SUB_COMMANDS: Final = frozenset({"bun", "deno", "m4"})
# The input by a name of its own, wherever the path begins; and what `<(...)` becomes.
_INPUT: Final = re.compile(
    r"-|(?:.*/)?(?:dev/(?:stdin|fd/[^/]+)|proc/[^/]+/(?:task/[^/]+/)?fd/[^/]+)", re.DOTALL
)


class _OwnOptions(NamedTuple):
    """Of an interpreter: options that say what runs, or that nothing does; long ones with a value.

    Behind `naming` no code is read from the input; `naming_letters` may stand in a group.
    """

    naming: frozenset[str]
    naming_letters: str = ""
    long_valued: frozenset[str] = frozenset()


_ANY: Final = _OwnOptions(names("--version --help"))
_OF_PYTHON: Final = _OwnOptions(
    names("--version --help -V -VV -h -?"), "m", names("--check-hash-based-pycs")
)
_OF_NODE: Final = _OwnOptions(
    names("--version --help -v -h --run --test"),
    long_valued=names(
        "--require --import --loader --experimental-loader --conditions --env-file "
        "--env-file-if-exists --input-type --title --icu-data-dir --openssl-config "
        "--dns-result-order --unhandled-rejections --diagnostic-dir --redirect-warnings "
        "--disable-warning --experimental-default-type --max-http-header-size"
    ),
)
_OWN_OPTIONS: Final[dict[str, _OwnOptions]] = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "ipython"), _OF_PYTHON),
    **dict.fromkeys(("node", "nodejs"), _OF_NODE),
    "perl": _OwnOptions(names("--version --help -v -V -h -?")),
    "ruby": _OwnOptions(
        names("--version --help -h"),
        long_valued=names("--encoding --external-encoding --internal-encoding"),
    ),
    "php": _OwnOptions(
        names("--version --help --info --modules --ini --server -v -h -i -m -S"),
        long_valued=names("--define --php-ini --zend-extension"),
    ),
    "julia": _OwnOptions(names("--version --help -v -h")),
}


def hands_code(words: tuple[Word, ...]) -> bool:
    """Say whether a command, or one that it starts, gives code to an interpreter."""
    return _is_given_code(words) or any(map(_is_given_code, list_started_commands(words)))


def reads_code(words: tuple[Word, ...]) -> bool:
    """Say whether a command, or one that it starts, takes its code from its input."""
    return _reads_code(words) or any(map(_reads_code, list_started_commands(words)))


def _is_given_code(words: tuple[Word, ...]) -> bool:
    return bool(find_table_words(words, INTERPRETERS)) or _reads_code(words)


def _reads_code(words: tuple[Word, ...]) -> bool:
    program = words[0].text
    risks = find_entry(program, INTERPRETERS)
    if risks is None:
        return False
    if program in _WITH_SUB_COMMANDS:
        return any(_is_input(word.text) for word in words[1:])
    own = find_entry(program, _OWN_OPTIONS) or _ANY
    is_value = False
    for word in words[1:]:
        if is_value:
            is_value = False
            continue
        if _is_input(word.text):
            return True
        if not word.text.startswith("-") or _names_program(word.text, risks, own):
            return False
        is_value = _takes_next(word.text, risks, own)
    return True


def _is_input(text: str) -> bool:
    return _INPUT.fullmatch(posixpath.normpath(text)) is not None


def _names_program(option: str, risks: RiskyOptions, own: _OwnOptions) -> bool:
    if option.partition("=")[0] in own.naming:
        return True
    group = "" if option.startswith("--") else option[1:]
    for letter in group:
        if letter in own.naming_letters:
            return True
        if letter in risks.valued:
            break
    return False


def _takes_next(option: str, risks: RiskyOptions, own: _OwnOptions) -> bool:
    """Say whether the value of an option is the next word: `-W ignore`, not `-Wignore`."""
    if option.startswith("--"):
        return option in own.long_valued
    found = next((at for at, letter in enumerate(option[1:], 1) if letter in risks.valued), None)
    return found == len(option) - 1
