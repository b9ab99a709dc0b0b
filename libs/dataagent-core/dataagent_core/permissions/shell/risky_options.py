"""Options that run or write something else, and where they stand among the words of a command.

The options of each program are in the tables of `risk_table.py`, `risks.py` and
`interpreters.py`. GNU and git accept any unambiguous beginning of a long option, so beginnings
count.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from dataagent_core.permissions.shell.line import UNKNOWN, Word

Entry = TypeVar("Entry")

# What an unknown part may turn out to be: a pattern that fits no file, a setting.
_READINGS = ("?", "*", "=x")
_MAY_BEGIN_OPTION = frozenset({"-", UNKNOWN, ""})
# The one program whose sub-commands have entries of their own.
_WITH_SUB_COMMANDS = "git"
# `python3.12` and `gcc-13` are what they are without it.
_VERSION = re.compile(r"-?\d+(?:\.\d+)*$")
# Options that take the next word, before the sub-command.
_BEFORE_SUB_COMMAND = frozenset({"-C", "-c"})


@dataclass(frozen=True, slots=True)
class RiskyOptions:
    """Options that run or write elsewhere.

    `letters` may stand anywhere in a group of short options, up to a letter of `valued`, which
    takes the rest of the group as its value. `words` are options compared whole, long ones also by
    their beginnings where the program `abbreviates`. `pattern` fits words anywhere, options or not.
    `bundle`: the first word is a group of short options even without a dash. `only_options`: a word
    without a dash can never be one of them. `leading` are words that count before the sub-command
    only, where they mean something else behind it.
    """

    letters: str = ""
    words: frozenset[str] = frozenset()
    valued: str = ""
    pattern: re.Pattern[str] | None = None
    bundle: bool = False
    abbreviates: bool = True
    only_options: bool = False
    leading: frozenset[str] = frozenset()


def make_risks(
    letters: str = "",
    words: str = "",
    *,
    valued: str = "",
    pattern: str = "",
    bundle: bool = False,
    abbreviates: bool = True,
    leading: str = "",
) -> RiskyOptions:
    """Make an entry from short texts; `words` are separated by blanks."""
    compiled = re.compile(pattern, re.DOTALL) if pattern else None
    whole = frozenset(words.split())
    only_options = not pattern and not bundle and all(word.startswith("-") for word in whole)
    before = frozenset(leading.split())
    return RiskyOptions(letters, whole, valued, compiled, bundle, abbreviates, only_options, before)


def find_entry(program: str, table: Mapping[str, Entry]) -> Entry | None:
    """Find the entry of a program, whatever version is in its name."""
    found = table.get(program)
    if found is None and program[-1:].isdecimal():
        found = table.get(_VERSION.sub("", program))
    return found


def find_table_words(
    words: tuple[Word, ...], table: Mapping[str, RiskyOptions]
) -> frozenset[int] | None:
    """List the indexes of words that a table names; None if it has no such program."""
    name = words[0].text
    risks = find_entry(name, table)
    if risks is None:
        return None
    tables, sub_command = (risks,), len(words)
    if name == _WITH_SUB_COMMANDS:
        sub_command = _find_sub_command(words)
        tables = (risks, *_find_sub_command_options(words[sub_command : sub_command + 1], table))
    bare_words_count = not all(one.only_options for one in tables)
    return frozenset(
        index
        for index, word in enumerate(words)
        if index
        and (bare_words_count or word.splits or word.text[:1] in _MAY_BEGIN_OPTION)
        and (
            _is_risky_at(words, index, tables)
            or (index < sub_command and word.text in risks.leading)
        )
    )


def _is_risky_at(words: tuple[Word, ...], index: int, tables: tuple[RiskyOptions, ...]) -> bool:
    word = words[index]
    if word.may_be_option:
        return _may_become_option(words, index, tables)
    readings = [word.text]
    if UNKNOWN in word.text:
        readings += [word.text.replace(UNKNOWN, reading) for reading in _READINGS]
    return any(_is_risky(text, table, index) for text in readings for table in tables)


def _find_sub_command(words: tuple[Word, ...]) -> int:
    """Find the sub-command; where it is not certain which word it is, none is."""
    index = 1
    while index < len(words) and words[index].known:
        text = words[index].text
        if not text.startswith("-"):
            return index
        takes_next = text in _BEFORE_SUB_COMMAND
        if takes_next and any(value.splits for value in words[index + 1 : index + 2]):
            break
        index += 2 if takes_next else 1
    return len(words)


def _find_sub_command_options(
    sub_command: tuple[Word, ...], table: Mapping[str, RiskyOptions]
) -> list[RiskyOptions]:
    """Find the entry of a sub-command, or those of all of them where there is none."""
    if sub_command:
        found = table.get(f"{_WITH_SUB_COMMANDS} {sub_command[0].text}")
        return [] if found is None else [found]
    return [one for key, one in table.items() if key.startswith(_WITH_SUB_COMMANDS + " ")]


def _may_become_option(
    words: tuple[Word, ...], index: int, tables: tuple[RiskyOptions, ...]
) -> bool:
    """Say whether an unknown word may turn out to be an option, and is not the value of one."""
    before = words[index - 1].text
    takes_value = before[:1] == "-" and before[1:2] != "-" and words[index - 1].known
    valued = any(before[-1:] in table.valued for table in tables)
    return words[index].splits or not (takes_value and valued and len(before) > 1)


def _is_risky(text: str, risks: RiskyOptions, index: int) -> bool:
    option = text.partition("=")[0]
    if option in risks.words or (risks.pattern is not None and risks.pattern.fullmatch(text)):
        return True
    if option.startswith("--"):
        beginning = risks.abbreviates and len(option) > 2  # noqa: PLR2004 (`--`)
        return beginning and any(risk.startswith(option) for risk in risks.words)
    if not option.startswith("-"):
        return risks.bundle and index == 1 and not set(risks.letters).isdisjoint(option)
    return _group_is_risky(option[1:], risks)


def _group_is_risky(group: str, risks: RiskyOptions) -> bool:
    for letter in group:
        if letter in risks.letters:
            return True
        if letter in risks.valued:
            break
    return False
