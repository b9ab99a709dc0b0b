"""Which words of a command run or write something else than the program is known for.

A wildcard in an allowing rule does not cover them: the rule must name them. Which options they are
is the table's (`risk_table.py`); the scripts of `sed` and `awk` and the second file of `uniq` are
found by reading the command. GNU and git accept any unambiguous beginning of a long option, so
beginnings count.
"""

import re
from collections.abc import Mapping
from typing import TypeVar

from dataagent_core.permissions.shell.programs.script_places import SCRIPT_PLACES, script_may_run
from dataagent_core.permissions.shell.risk_table import RISKS, Risks
from dataagent_core.permissions.shell.running_table import RUNNING
from dataagent_core.permissions.shell.word import UNKNOWN, Word

Entry = TypeVar("Entry")

# What may stand in the place of something unknown: a pattern that fits no file, a setting.
_READINGS = ("?", "*", "=x")
_MAY_BEGIN_OPTION = frozenset({"-", UNKNOWN, ""})
# The one program whose sub-commands have entries of their own.
_WITH_SUB_COMMANDS = "git"
# `python3.12` and `gcc-13` are what they are without it.
_VERSION = re.compile(r"-?\d+(?:\.\d+)*$")
# Options that take the next word, before the sub-command.
_BEFORE_SUB_COMMAND = frozenset({"-C", "-c"})


def risky_places(words: tuple[Word, ...]) -> frozenset[int]:
    """List where the words of a command stand that run or write something else."""
    scripts = SCRIPT_PLACES.get(words[0].text)
    found = places_of(words, RISKS) or frozenset()
    return found if scripts is None else found.union(scripts(words))


def may_start_another(words: tuple[Word, ...]) -> bool:
    """Say whether a command starts a program that is named in an option or a script of its own."""
    return bool(places_of(words, RUNNING)) or script_may_run(words)


def entry_of(program: str, table: Mapping[str, Entry]) -> Entry | None:
    """Give what a table says of a program, whatever version is in its name."""
    found = table.get(program)
    if found is None and program[-1:].isdecimal():
        found = table.get(_VERSION.sub("", program))
    return found


def places_of(words: tuple[Word, ...], table: Mapping[str, Risks]) -> frozenset[int] | None:
    """List where a command's words stand that a table names; None if it has no such program."""
    name = words[0].text
    risks = entry_of(name, table)
    if risks is None:
        return None
    tables, sub_command = (risks,), len(words)
    if name == _WITH_SUB_COMMANDS:
        sub_command = _sub_command_at(words)
        tables = (risks, *_of_sub_command(words[sub_command : sub_command + 1], table))
    bare_words_count = not all(one.only_options for one in tables)
    return frozenset(
        place
        for place, word in enumerate(words)
        if place
        and (bare_words_count or word.splits or word.text[:1] in _MAY_BEGIN_OPTION)
        and (
            _place_is_risky(words, place, tables)
            or (place < sub_command and word.text in risks.leading)
        )
    )


def _place_is_risky(words: tuple[Word, ...], place: int, tables: tuple[Risks, ...]) -> bool:
    word = words[place]
    if word.may_be_option:
        return _may_become_option(words, place, tables)
    readings = [word.text]
    if UNKNOWN in word.text:
        readings += [word.text.replace(UNKNOWN, reading) for reading in _READINGS]
    return any(_is_risky(text, table, place) for text in readings for table in tables)


def _sub_command_at(words: tuple[Word, ...]) -> int:
    """Find the sub-command; where it is not certain which word it is, none is."""
    place = 1
    while place < len(words) and words[place].known:
        text = words[place].text
        if not text.startswith("-"):
            return place
        takes_next = text in _BEFORE_SUB_COMMAND
        if takes_next and any(value.splits for value in words[place + 1 : place + 2]):
            break
        place += 2 if takes_next else 1
    return len(words)


def _of_sub_command(sub_command: tuple[Word, ...], table: Mapping[str, Risks]) -> list[Risks]:
    """Give what is known of a sub-command, or of all of them where there is none."""
    if sub_command:
        found = table.get(f"{_WITH_SUB_COMMANDS} {sub_command[0].text}")
        return [] if found is None else [found]
    return [one for key, one in table.items() if key.startswith(_WITH_SUB_COMMANDS + " ")]


def _may_become_option(words: tuple[Word, ...], place: int, tables: tuple[Risks, ...]) -> bool:
    """Say whether an unknown word may turn out to be an option, and is not the value of one."""
    before = words[place - 1].text
    takes_value = before[:1] == "-" and before[1:2] != "-" and words[place - 1].known
    valued = any(before[-1:] in table.valued for table in tables)
    return words[place].splits or not (takes_value and valued and len(before) > 1)


def _is_risky(text: str, risks: Risks, place: int) -> bool:
    option = text.partition("=")[0]
    if option in risks.words or (risks.pattern is not None and risks.pattern.fullmatch(text)):
        return True
    if option.startswith("--"):
        beginning = risks.abbreviates and len(option) > 2  # noqa: PLR2004 (`--`)
        return beginning and any(risk.startswith(option) for risk in risks.words)
    if not option.startswith("-"):
        return risks.bundle and place == 1 and not set(risks.letters).isdisjoint(option)
    return _group_is_risky(option[1:], risks)


def _group_is_risky(group: str, risks: Risks) -> bool:
    for letter in group:
        if letter in risks.letters:
            return True
        if letter in risks.valued:
            break
    return False
