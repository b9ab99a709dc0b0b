"""Reading the options of a program: before the command a wrapper starts, or among operands."""

from dataclasses import dataclass
from itertools import pairwise

from dataagent_core.permissions.shell.line import UNKNOWN, Word


@dataclass(frozen=True, slots=True)
class OptionSyntax:
    """Which options a program has; letters stand for short ones."""

    flags: str = ""
    valued: str = ""
    long_flags: tuple[str, ...] = ()
    long_valued: tuple[str, ...] = ()


class UnknownOptionError(Exception):
    """An option that may mean anything."""


def split_leading_options(words: list[Word], syntax: OptionSyntax) -> tuple[list[str], list[Word]]:
    """Split off the options; return them, values joined with `=`, and the words behind them."""
    options: list[str] = []
    index = 0
    while index < len(words):
        if words[index].text == "--":
            return options, words[index + 1 :]
        found, after = _read_option(words, index, syntax)
        if not found:
            break
        options += found
        index = after
    return options, words[index:]


def split_options(words: list[Word], syntax: OptionSyntax) -> tuple[list[str], list[Word]]:
    """Split as GNU programs do: options may stand behind operands, and `-` is an operand."""
    options: list[str] = []
    operands: list[Word] = []
    index = 0
    while index < len(words):
        if words[index].text == "--":
            return options, [*operands, *words[index + 1 :]]
        found, after = _read_option(words, index, syntax)
        options += found
        if not found:
            operands.append(words[index])
        index = after
    return options, operands


def _read_option(words: list[Word], index: int, syntax: OptionSyntax) -> tuple[list[str], int]:
    """Read the options in one word, none if it is an operand, and say where the next begins."""
    word = words[index]
    text, splits, _ = word
    if splits or UNKNOWN in text:
        if word.may_be_option:
            raise UnknownOptionError(str(word))
        return [], index + 1
    if text[:1] != "-" or text == "-":
        return [], index + 1
    found, takes_next = _read_long(text, syntax) if text[1] == "-" else _read_short(text, syntax)
    if takes_next:
        index += 1
        if index == len(words) or not words[index].known:
            raise UnknownOptionError(text)
        found[-1] += "=" + words[index].text
    return found, index + 1


def _read_long(text: str, syntax: OptionSyntax) -> tuple[list[str], bool]:
    name, equals, _ = text[2:].partition("=")
    if name in syntax.long_valued:
        return [text], not equals
    if name in syntax.long_flags and not equals:
        return [text], False
    raise UnknownOptionError(text)


def _read_short(text: str, syntax: OptionSyntax) -> tuple[list[str], bool]:
    found: list[str] = []
    for letter, rest in pairwise([*enumerate(text[1:], 1), (len(text), "")]):
        index, character = letter
        if character in syntax.flags:
            found.append("-" + character)
        elif character in syntax.valued:
            value = text[index + 1 :]
            return [*found, f"-{character}" + (f"={value}" if value else "")], not rest[1]
        else:
            raise UnknownOptionError(text)
    return found, False
