"""How a line of Markdown begins, and so what it can be. Pure."""

import re

from dataagent_cli.transcript.limits import TABLE_HEAD_CHARS_MAX

FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$")
HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$")
# What makes a heading of the lines above it.
SETEXT = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
QUOTE = re.compile(r" {0,3}>")
ITEM = re.compile(r"( {0,3})([-+*]|\d{1,9}[.)])(?:([ \t]{1,4})(?=\S)|[ \t]*$|[ \t])")
INDENTED = re.compile(r"(?: {4}| {0,3}\t)")
_TABLE_RULE = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


def interrupts(line: str) -> bool:
    """Say whether a line begins something else although the paragraph before it has not ended."""
    item = ITEM.match(line)
    return bool(
        HEADING.match(line)
        or RULE.match(line)
        or QUOTE.match(line)
        or FENCE.match(line)
        # A year at the beginning of a line is no list.
        or (item is not None and item[3] and (len(item[2]) == 1 or item[2][:-1] == "1"))
    )


def is_table(head: str, rule: str) -> bool:
    """Say whether two lines are the head of a table."""
    # The head stands above every part, so it must not be most of it.
    if "|" not in head or "|" not in rule or len(head) + len(rule) > TABLE_HEAD_CHARS_MAX:
        return False
    return _TABLE_RULE.match(rule) is not None


def sign_of(item: re.Match[str]) -> str:
    """Tell lists apart: `-` from `*`, `1.` from `1)`."""
    return item[2][-1]


def dedented(line: str, cells: int) -> str:
    """Move a line to the left, as far as it is indented."""
    plain = line.expandtabs(4)
    return plain[min(cells, len(plain) - len(plain.lstrip(" "))) :]
