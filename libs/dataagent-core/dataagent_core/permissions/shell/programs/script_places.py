"""Where a command holds a script, or a file it writes, that no option marks: sed, awk and uniq."""

import re
from collections.abc import Callable, Iterator

from dataagent_core.permissions.shell.programs.awk import only_computes
from dataagent_core.permissions.shell.programs.sed import only_edits
from dataagent_core.permissions.shell.word import UNKNOWN, Word


def _is_known_to(do_no_more: Callable[[str], bool], script: str) -> bool:
    """Say whether a script does no more, whatever the variables in it hold."""
    return UNKNOWN not in script and do_no_more(script)


def _sed(words: tuple[Word, ...]) -> Iterator[int]:
    """Find the scripts of sed that do more than edit, and options that are not its usual ones."""
    operands, has_script, place = list[int](), False, 0
    while (place := place + 1) < len(words):
        text = words[place].text
        if text == "--":
            operands += range(place + 1, len(words))
            break
        if not text.startswith("-") or text == "-":
            operands.append(place)
            continue
        letter, value = _sed_option(text)
        if letter == "?":
            yield place
        if letter in _SED_VALUED:
            has_script = has_script or letter in "ef"
            place += not value
            script = value or (words[place].text if place < len(words) else UNKNOWN)
            if letter == "e" and not _is_known_to(only_edits, script):
                yield place
    if not has_script and operands and not _is_known_to(only_edits, words[operands[0]].text):
        yield operands[0]


def _sed_option(text: str) -> tuple[str, str]:
    """Give the letter in a word that takes a value, and the value; `?` if it is strange."""
    if text.startswith("--"):
        name, _, value = text.partition("=")
        known = name in _SED_LONG and (name == "--expression" or not value)
        return _SED_LONG[name] if known else "?", value
    for place, letter in enumerate(text[1:], 2):
        if letter in _SED_VALUED or letter == "i":
            return letter, text[place:]
        if letter not in "nErsuzb":
            return "?", ""
    return "", ""


_SED_VALUED = frozenset("efl")
_SED_LONG = {
    **dict.fromkeys(("--quiet", "--silent", "--regexp-extended", "--null-data", "--separate"), ""),
    **dict.fromkeys(("--unbuffered", "--posix", "--zero-terminated", "--sandbox"), ""),
    "--expression": "e",
    "--in-place": "i",
    "--file": "f",
}


def _awk(words: tuple[Word, ...]) -> Iterator[int]:
    """Find an awk program that does more than compute and print, and options that are not usual."""
    place = 1
    while place < len(words) and words[place].text.startswith("-"):
        text = words[place].text
        place += 1
        if text == "--":
            break
        if text in {"-F", "-v"}:
            place += 1
        elif not text.startswith(("-F", "-v")):
            # Which of the words behind it is the program is not certain any more.
            yield place - 1
    if place < len(words) and not _is_known_to(only_computes, words[place].text):
        yield place


def _uniq(words: tuple[Word, ...]) -> Iterator[int]:
    """Find the second file of uniq, which it writes."""
    operands, options_over, is_number = 0, False, False
    for place, word in enumerate(words[1:], 1):
        text = word.text
        if is_number and text.isdecimal():
            is_number = False
            continue
        is_number = not options_over and _UNIQ_VALUED.fullmatch(text) is not None
        if not options_over and text == "--":
            options_over = True
        elif options_over or text == "-" or not text.startswith("-"):
            operands += 1
            if operands > 1 or word.splits:
                yield place


# Up to a letter whose number is the next word.
_UNIQ_VALUED = re.compile(r"-[cdDiuz]*[fsw]")
_SCRIPTS: dict[str, Callable[[tuple[Word, ...]], Iterator[int]]] = {
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
}
SCRIPT_PLACES = _SCRIPTS | {"uniq": _uniq}


def script_may_run(words: tuple[Word, ...]) -> bool:
    """Say whether a command holds a script that may run others, in a language of its own."""
    find = _SCRIPTS.get(words[0].text)
    return find is not None and next(find(words), None) is not None
