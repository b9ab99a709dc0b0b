"""Whether a value may stand in a text that a program reads: a command, a statement, a path. Pure.

`rm -r out/{{month}}` with `x; rm -r /` is another command than the one of earlier runs, and so is
`where id = {{id}}` with `1 or 1=1`. Quoting cannot be right for every program, so a value that
could be more than one word there is not put in: the workflow stops, and the agent goes on.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final

from pydantic import JsonValue

from dataagent_core.patterns.workflow.workflow import (
    PLACE,
    TextTemplate,
    WorkflowStep,
    walk_args,
)
from dataagent_core.permissions.shell.line import names

_CODE_TOOLS: Final = names("shell execute code_executor")
# Arguments of any tool, also of MCP servers.
_CODE: Final = names("command cmd code script sql statement expression")
_ADDRESSES: Final = names("url uri")
_PATHS: Final = names("path file_path filename")
# What is searched for, or a statement.
_QUERIES: Final = names("query q")
_STATEMENT: Final = re.compile(
    r"\s*(?:select|with|insert|update|delete|merge|create|drop|alter|call|explain)\b", re.IGNORECASE
)
# Outside quotes one word; within them what neither ends them nor is read there.
_BARE: Final = re.compile(r"(?!.*--)[\w./][\w./:@-]*")
_QUOTED: Final = re.compile(r"(?!-|.*--)[^'\"`$\\;|&<>(){}\x00-\x1f\x7f\x85\u2028\u2029]*")
_PATH: Final = re.compile(r"[^\x00-\x1f\x7f\x85\u2028\u2029]*")
# The way out of a folder.
_UPWARDS: Final = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)")


def find_unsafe_place(
    step: WorkflowStep, values: Mapping[str, JsonValue], inputs: Collection[str]
) -> str:
    """Return the name of a value that could change what a call does; empty where there is none."""
    for path, arg in walk_args(step.args):
        if isinstance(arg, TextTemplate):
            fields = [key for key in path.split(".") if not key.isdigit()]
            unsafe = find_unsafe(step.tool, fields[-1] if fields else path, arg, values, inputs)
            if unsafe:
                return unsafe
    return ""


def find_unsafe(
    tool: str,
    argument: str,
    text: TextTemplate,
    values: Mapping[str, JsonValue],
    inputs: Collection[str],
) -> str:
    """Return the name of a value that is more than a word in its place of an argument.

    A whole argument may be what the person gives, and a whole path or address what a result has.
    """
    template, field = text.template, argument.lower()
    is_statement = field in _QUERIES and _STATEMENT.match(template) is not None
    is_code = tool in _CODE_TOOLS or field in _CODE or is_statement
    if not (is_code or field in _ADDRESSES or field in _PATHS):
        return ""
    whole = PLACE.fullmatch(template)
    if whole and (whole[1] in inputs or not is_code):
        return ""
    for place in PLACE.finditer(template):
        value, before = values[place[1]], template[: place.start()]
        if isinstance(value, str) and not _is_word(value, before, is_path=field in _PATHS):
            return place[1]
    return ""


def _is_word(value: str, before: str, *, is_path: bool) -> bool:
    if _UPWARDS.search(value):
        return False
    wanted = _PATH if is_path else _QUOTED if _is_in_quotes(before) else _BARE
    return wanted.fullmatch(value) is not None


def _is_in_quotes(before: str) -> bool:
    """Say whether quotes are open behind a text."""
    quote, is_escaped = "", False
    for sign in before:
        if is_escaped:
            is_escaped = False
        elif sign == "\\" and quote != "'":
            is_escaped = True
        elif sign == quote:
            quote = ""
        elif not quote and sign in "'\"":
            quote = sign
    return bool(quote)
