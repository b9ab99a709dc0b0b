"""Whether a jq call only reads what it is given: not the environment, and no code from files."""

import re

from dataagent_core.permissions.shell.line import Word
from dataagent_core.permissions.shell.options import (
    OptionSyntax,
    UnknownOptionError,
    split_options,
)

_SYNTAX = OptionSyntax(
    "nrjasSceCMRhV",
    "",
    (
        *("null-input", "raw-output", "join-output", "ascii-output", "slurp", "sort-keys", "tab"),
        *("compact-output", "exit-status", "color-output", "monochrome-output", "raw-input"),
        *("stream", "seq", "args", "jsonargs", "help", "version"),
    ),
    ("indent",),
)
_STRING = re.compile(r'"[^"\\]*"')
# Names of jq's own, not `.env` and not `$env`.
_REACHES_OUT = re.compile(
    r"(?<![.\w$])(?:env|include|import|input_filename|modulemeta|get_search_list)(?!\w)"
    r"|\$\s*(?:ENV|__prog_args)(?!\w)"
)
_PAIRS = frozenset({"--arg", "--argjson"})


def only_filters(words: list[Word]) -> bool:
    """Say whether jq, with the words behind its name, reads only its input."""
    rest = _remove_pairs(words)
    try:
        _, operands = split_options(rest, _SYNTAX)
    except UnknownOptionError:
        return False
    return all(
        word.known and not _REACHES_OUT.search(_remove_strings(word.text)) for word in operands[:1]
    )


def _remove_strings(program: str) -> str:
    """Leave out strings without code in them, unless a comment may hold a quote."""
    return program if "#" in program else _STRING.sub('""', program)


def _remove_pairs(words: list[Word]) -> list[Word]:
    """Leave out `--arg name value`, which is a text of the caller's own."""
    rest: list[Word] = []
    index = 0
    while index < len(words):
        if words[index].text in _PAIRS:
            index += 3
        else:
            rest.append(words[index])
            index += 1
    return rest
