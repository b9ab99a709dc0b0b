"""Builtins that look at variables by name, and may run what stands in the name.

A name may have a subscript, and bash evaluates what stands in one, substitutions and all:
`read 'a[$(rm x)]'`, `test -v 'a[$(rm x)]'`. So such a builtin is certain only where each of its
words surely is a plain name, a number or an option.
"""

import re

from dataagent_core.permissions.shell.names import names
from dataagent_core.permissions.shell.word import UNKNOWN, Word

_TAKE_NAMES = names("read wait unset declare typeset local export readonly getopts")
_PLAIN = re.compile(r"[A-Za-z_]\w*(=[^\[$`(]*)?|[-+]\w*|\d+(\.\d+)?|%\d*", re.ASCII)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_BY_NAME = frozenset({"-v", "-R"})
# A conversion of printf that sets the variable it is given the name of.
_COUNTS = re.compile(r"%[^%A-Za-z(]*[hjlqtzL]*n")


def may_evaluate(words: list[Word]) -> bool:
    """Say whether a builtin may evaluate a subscript."""
    name = words[0].text
    if name in _TAKE_NAMES:
        by_option = name == "wait" and any(word.text.startswith("-p") for word in words[1:])
        return by_option or not all(
            word.known and _PLAIN.fullmatch(word.text) for word in words[1:]
        )
    if name == "printf":
        return _printf(words[1:])
    return name in {"test", "["} and _test(words[1:])


def names_set(words: list[Word]) -> list[str]:
    """List what a builtin may set: every word of it that is the name of a variable."""
    if words[0].text not in _TAKE_NAMES and words[0].text != "printf":
        return []
    given = words[2:3] if words[0].text == "printf" else words[1:]
    found = [_IDENTIFIER.match(word.text) for word in given]
    return [name[0] for name in found if name is not None]


def _printf(words: list[Word]) -> bool:
    if not words:
        return False
    if not words[0].text.startswith("-v"):
        return words[0].may_be_option or _counts(words[words[0].text == "--" :])
    plain = [word.known and bool(_IDENTIFIER.fullmatch(word.text)) for word in words[1:2]]
    # Of two `-v` the last one counts.
    return (
        words[0].text != "-v"
        or plain != [True]
        or any(word.may_be_option or word.text.startswith("-v") for word in words[2:3])
        or _counts(words[2 + any(word.text == "--" for word in words[2:3]) :])
    )


def _counts(words: list[Word]) -> bool:
    """Say whether a format, with the words behind it, may set a variable to a number."""
    if len(words) <= 1:
        return False
    if _COUNTS.search(words[0].text.replace("%%", "")):
        return True
    return not words[0].known and any(
        not word.known or _IDENTIFIER.fullmatch(word.text) for word in words[1:]
    )


def _test(words: list[Word]) -> bool:
    """Say whether a test may be one of a variable by name, now or once its words are known."""
    unknown_before = False
    for word in words:
        unknown = word.text.startswith(UNKNOWN)
        if word.splits or word.text in _BY_NAME or (unknown and unknown_before):
            return True
        unknown_before = unknown
    return False
