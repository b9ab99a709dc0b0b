"""Where a command holds a script, or a file it writes, that no option marks: sed, awk and uniq.

A sed script passes if it only edits its input: the commands `e`, `r`, `R`, `w`, `W` and the flags
`e` and `w` of `s` open files or run programs. An awk program passes if it only computes and prints;
it is split into tokens, so that `$3 > 100` is a comparison and `print > "x"` a file. Where
implementations differ (where does a pattern or a number end? is `/` a division?), the answer is no.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal

from dataagent_core.permissions.shell.line import UNKNOWN, Word, names

_SED_NUMBER = re.compile(r"\d+")
_SED_ADDRESS = re.compile(r"(?:\d+(?:~\d+)?|\$|[+~]\d+)")
_SED_FLAGS = re.compile(r"[gpIiMm0-9]*")
_SED_LABEL = re.compile(r"[ \t]*[\w.-]*")
_SED_BLANK = re.compile(r"[\s;]*")
_SED_WITHOUT_ARGUMENT = frozenset("dDgGhHnNpPxzF=")
_SED_WITH_NUMBER = frozenset("lLqQ")
_SED_WITH_LABEL = frozenset(":btT")
_SED_WITH_TEXT = frozenset("aic")
_AWK_TOKEN = re.compile(
    r"""(?P<blank>[ \t]+|\#[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\[^\n])*")
      | (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?+(?![\w.]))
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>\|\||&&|>>|>=|<=|==|!=|!~|\+\+|--|[-+*%^]=|[-+*%^!~<>|?:,;(){}\[\]$=\n])
      | (?P<slash>/)""",
    re.VERBOSE | re.ASCII,
)
# Up to the next slash; one in brackets, and `/=` at the beginning, are another matter to each awk.
_AWK_EXPRESSION = re.compile(r"/(?!=)(?:[^/\\\n\[]|\\[^\n]|\[\^?[^\]\[/\\\n]+\])*/")
_AWK_REACHES_OUT = frozenset(
    {"system", "getline", "ENVIRON", "ARGV", "ARGC", "PROCINFO", "FUNCTAB", "SYMTAB"}
)
# Behind these a slash divides or begins an expression, which another slash would end.
_AWK_AMBIGUOUS_SIGNS = frozenset({")", "++", "--"})
# They are no values, and what a slash means behind them differs.
_AWK_RESERVED = names(
    "print printf in else do return length delete exit case default switch if while for function "
    "func next nextfile break continue BEGIN END BEGINFILE ENDFILE"
)
_AWK_REDIRECTIONS = frozenset({">", ">>"})
_AWK_PRINT_STATEMENTS = frozenset({"print", "printf"})
_SlashMeans = Literal["divides", "begins an expression", "either"]
_SED_VALUED = frozenset("efl")
_SED_LONG = {
    **dict.fromkeys(("--quiet", "--silent", "--regexp-extended", "--null-data", "--separate"), ""),
    **dict.fromkeys(("--unbuffered", "--posix", "--zero-terminated", "--sandbox"), ""),
    "--expression": "e",
    "--in-place": "i",
    "--file": "f",
}
# Up to a letter whose number is the next word.
_UNIQ_VALUED = re.compile(r"-[cdDiuz]*[fsw]")


def _is_known_to(do_no_more: Callable[[str], bool], script: str) -> bool:
    """Say whether a script does no more, whatever the variables in it hold."""
    return UNKNOWN not in script and do_no_more(script)


def _find_sed_scripts(words: tuple[Word, ...]) -> Iterator[int]:
    """Find the scripts of sed that do more than edit, and options that are not its usual ones."""
    operands, has_script, index = list[int](), False, 0
    while (index := index + 1) < len(words):
        text = words[index].text
        if text == "--":
            operands += range(index + 1, len(words))
            break
        if not text.startswith("-") or text == "-":
            operands.append(index)
            continue
        letter, value = _read_sed_option(text)
        if letter == "?":
            yield index
        if letter in _SED_VALUED:
            has_script = has_script or letter in "ef"
            index += not value
            script = value or (words[index].text if index < len(words) else UNKNOWN)
            if letter == "e" and not _is_known_to(only_edits, script):
                yield index
    if not has_script and operands and not _is_known_to(only_edits, words[operands[0]].text):
        yield operands[0]


def _read_sed_option(text: str) -> tuple[str, str]:
    """Give the letter in a word that takes a value, and the value; `?` if it is strange."""
    if text.startswith("--"):
        name, _, value = text.partition("=")
        known = name in _SED_LONG and (name == "--expression" or not value)
        return _SED_LONG[name] if known else "?", value
    for index, letter in enumerate(text[1:], 2):
        if letter in _SED_VALUED or letter == "i":
            return letter, text[index:]
        if letter not in "nErsuzb":
            return "?", ""
    return "", ""


def only_edits(script: str) -> bool:
    """Say whether a script opens no file and runs nothing."""
    try:
        index = 0
        while (index := _skip(_SED_BLANK, script, index)) < len(script):
            index = _skip_sed_command(script, index)
    except _UnreadableSedError:
        return False
    return True


class _UnreadableSedError(Exception):
    """The script does more, or may mean more than one thing."""


def _skip_sed_command(script: str, index: int) -> int:
    """Read one command; return where the next begins."""
    if script[index] == "#":
        return _find_line_end(script, index)
    index = _skip_addresses(script, index)
    if index >= len(script):
        raise _UnreadableSedError
    letter = script[index]
    index += 1
    if letter in "{}":
        return index
    if letter in _SED_WITH_TEXT:
        return _skip_text(script, index)
    if letter in _SED_WITH_NUMBER:
        index = _skip(_SED_NUMBER, script, _skip_blanks(script, index))
    elif letter in _SED_WITH_LABEL:
        index = _skip(_SED_LABEL, script, index)
    elif letter in "sy" and index < len(script):
        delimiter = script[index]
        index = _skip_until(script, index + 1, delimiter, is_pattern=True)
        index = _skip_until(script, index, delimiter, is_pattern=False)
        index = _skip(_SED_FLAGS, script, index) if letter == "s" else index
    elif letter not in _SED_WITHOUT_ARGUMENT:
        raise _UnreadableSedError
    return _skip_end(script, index)


def _skip_addresses(script: str, index: int) -> int:
    index = _skip_address(script, index)
    after = _skip_blanks(script, index)
    if script[after : after + 1] == ",":
        index = _skip_address(script, _skip_blanks(script, after + 1))
    index = _skip_blanks(script, index)
    while script[index : index + 1] == "!":
        index = _skip_blanks(script, index + 1)
    return index


def _skip_address(script: str, index: int) -> int:
    if script[index : index + 1] in {"/", "\\"}:
        if script[index] == "\\":
            index += 1
        index = _skip_until(script, index + 1, script[index : index + 1], is_pattern=True)
        while script[index : index + 1] in {"I", "M"}:
            index += 1
        return index
    return _skip(_SED_ADDRESS, script, index)


def _skip_until(script: str, index: int, delimiter: str, *, is_pattern: bool) -> int:
    """Go behind the next delimiter; brackets that are open there may hide it from some seds."""
    if not delimiter or delimiter.isalnum() or delimiter in "\\\n;{}[]" or delimiter.isspace():
        raise _UnreadableSedError
    began = index
    while index < len(script) and script[index] not in {delimiter, "\n"}:
        index += 2 if script[index] == "\\" else 1
    if index >= len(script) or script[index] != delimiter:
        raise _UnreadableSedError
    inside = script[began:index]
    if "\n" in inside or (is_pattern and not _brackets_closed(inside)):
        raise _UnreadableSedError
    return index + 1


def _brackets_closed(pattern: str) -> bool:
    plain = re.sub(r"\\.", "", pattern)
    return "[" not in re.sub(r"\[\^?[^\]\[]+\]", "", plain.replace("[:", "").replace(":]", ""))


def _skip_end(script: str, index: int) -> int:
    """Check that a command is over: an unknown flag may run or write, a label go on."""
    index = _skip_blanks(script, index)
    if index < len(script) and script[index] not in ";}\n#":
        raise _UnreadableSedError
    return index


def _skip_text(script: str, index: int) -> int:
    end = _find_line_end(script, index)
    if "\\" in script[index:end]:
        raise _UnreadableSedError
    return end


def _find_line_end(script: str, index: int) -> int:
    end = script.find("\n", index)
    return len(script) if end < 0 else end


def _skip(what: re.Pattern[str], script: str, index: int) -> int:
    found = what.match(script, index)
    return found.end() if found else index


def _skip_blanks(script: str, index: int) -> int:
    while script[index : index + 1] in {" ", "\t"}:
        index += 1
    return index


def _find_awk_programs(words: tuple[Word, ...]) -> Iterator[int]:
    """Find an awk program that does more than compute and print, and options that are not usual."""
    index = 1
    while index < len(words) and words[index].text.startswith("-"):
        text = words[index].text
        index += 1
        if text == "--":
            break
        if text in {"-F", "-v"}:
            index += 1
        elif not text.startswith(("-F", "-v")):
            # Which of the words behind it is the program is not certain any more.
            yield index - 1
    if index < len(words) and not _is_known_to(only_computes, words[index].text):
        yield index


def only_computes(program: str) -> bool:
    """Say whether a program runs, reads and writes nothing but its input and output."""
    index, printing = 0, False
    slash: _SlashMeans = "begins an expression"
    while index < len(program):
        found = _AWK_TOKEN.match(program, index)
        if found is None:
            return False
        kind, text = found.lastgroup or "", found[0]
        if kind == "slash":
            if slash == "begins an expression":
                found = _AWK_EXPRESSION.match(program, index)
                kind = "expression"
            elif slash == "either" and program.find("/", index + 1) >= 0:
                return False
            if found is None:
                return False
        elif text in _AWK_REACHES_OUT or text == "|" or (printing and text in _AWK_REDIRECTIONS):
            return False
        if kind != "blank":
            printing = text in _AWK_PRINT_STATEMENTS or (printing and text not in {";", "}"})
            slash = _meaning_of_next_slash(kind, text)
        index = found.end()
    return True


def _meaning_of_next_slash(kind: str, text: str) -> _SlashMeans:
    """Say what a slash means behind a token: behind a value it divides, elsewhere it cannot."""
    if kind == "expression" or text in _AWK_RESERVED or text in _AWK_AMBIGUOUS_SIGNS:
        return "either"
    is_value = kind in {"string", "number", "name"} or text == "]"
    return "divides" if is_value else "begins an expression"


def _find_uniq_output(words: tuple[Word, ...]) -> Iterator[int]:
    """Find the second file of uniq, which it writes."""
    operands, options_over, is_number = 0, False, False
    for index, word in enumerate(words[1:], 1):
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
                yield index


_SCRIPTS: dict[str, Callable[[tuple[Word, ...]], Iterator[int]]] = {
    **dict.fromkeys(("sed", "gsed"), _find_sed_scripts),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _find_awk_programs),
}


SCRIPT_FINDERS = _SCRIPTS | {"uniq": _find_uniq_output}


def script_may_run(words: tuple[Word, ...]) -> bool:
    """Say whether a command holds a script that may run others, in a language of its own."""
    find = _SCRIPTS.get(words[0].text)
    return find is not None and next(find(words), None) is not None
