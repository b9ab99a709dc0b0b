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


def after_options(words: list[Word], syntax: OptionSyntax) -> tuple[list[str], list[Word]]:
    """Split off the options; return them, values joined with `=`, and the words behind them."""
    options: list[str] = []
    place = 0
    while place < len(words):
        if words[place].text == "--":
            return options, words[place + 1 :]
        found, after = _option(words, place, syntax)
        if not found:
            break
        options += found
        place = after
    return options, words[place:]


def options_and_operands(words: list[Word], syntax: OptionSyntax) -> tuple[list[str], list[Word]]:
    """Split as GNU programs do: options may stand behind operands, and `-` is an operand."""
    options: list[str] = []
    operands: list[Word] = []
    place = 0
    while place < len(words):
        if words[place].text == "--":
            return options, [*operands, *words[place + 1 :]]
        found, after = _option(words, place, syntax)
        options += found
        if not found:
            operands.append(words[place])
        place = after
    return options, operands


def _option(words: list[Word], place: int, syntax: OptionSyntax) -> tuple[list[str], int]:
    """Read the options in one word, none if it is an operand, and say where the next begins."""
    word = words[place]
    text, splits, _ = word
    if splits or UNKNOWN in text:
        if word.may_be_option:
            raise UnknownOptionError(str(word))
        return [], place + 1
    if text[:1] != "-" or text == "-":
        return [], place + 1
    found, takes_next = _long(text, syntax) if text[1] == "-" else _short(text, syntax)
    if takes_next:
        place += 1
        if place == len(words) or not words[place].known:
            raise UnknownOptionError(text)
        found[-1] += "=" + words[place].text
    return found, place + 1


def _long(text: str, syntax: OptionSyntax) -> tuple[list[str], bool]:
    name, equals, _ = text[2:].partition("=")
    if name in syntax.long_valued:
        return [text], not equals
    if name in syntax.long_flags and not equals:
        return [text], False
    raise UnknownOptionError(text)


def _short(text: str, syntax: OptionSyntax) -> tuple[list[str], bool]:
    found: list[str] = []
    for letter, rest in pairwise([*enumerate(text[1:], 1), (len(text), "")]):
        place, character = letter
        if character in syntax.flags:
            found.append("-" + character)
        elif character in syntax.valued:
            value = text[place + 1 :]
            return [*found, f"-{character}" + (f"={value}" if value else "")], not rest[1]
        else:
            raise UnknownOptionError(text)
    return found, False
