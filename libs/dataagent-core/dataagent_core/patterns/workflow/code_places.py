"""Whether a value may stand in a text that a program reads: a command, a statement, a path. Pure.

`rm -r out/{{month}}` with `x; rm -r /` is another command than the one of earlier runs, and so is
`where id = {{id}}` with `1 or 1=1`. Quoting cannot be right for every program, so a value that
could be more than one word there is not put in: the workflow stops, and the agent goes on.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final

from pydantic import JsonValue

from dataagent_core.patterns.workflow.open_quotes import is_in_quotes
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
_ADDRESS: Final = re.compile(r"[A-Za-z][\w+.-]*://\S+")
_PATHS: Final = names(
    "path file_path filename file dir directory folder source src destination dest"
)
# What is searched for, or a statement.
_QUERIES: Final = names("query q")
_STATEMENT: Final = re.compile(
    r"(?:[\s(]|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*+"
    r"(?:select|with|insert|update|delete|merge|create|drop|alter|call|explain|replace|truncate"
    r"|grant|revoke|execute?|attach|pragma)\b",
    re.IGNORECASE,
)
# Outside quotes one word; within them what neither ends them nor is read there.
_BARE: Final = re.compile(r"(?!.*--)[\w./][\w./:@-]*")
_QUOTED: Final = re.compile(r"(?!-|.*--)[^'\"`$\\;|&<>(){}\x00-\x1f\x7f\x85\u2028\u2029]*")
_PATH: Final = re.compile(r"[^\x00-\x1f\x7f\x85\u2028\u2029]*")
# Behind a comparison a bare word of SQL is a column: `where id = id` is true of every row.
_WHERE: Final = re.compile(r"\b(?:where|having)\b", re.IGNORECASE)
_COMPARES: Final = re.compile(r"(?:[=<>(,]|\b(?:and|or|not|between|like))\s*$", re.IGNORECASE)
_COMPARES_CHARS_MAX: Final = 80
_NUMBER: Final = re.compile(r"(?!.*--)\d[\w.:-]*")
# An address whose host is not over yet, and what may stand in one.
_HOST: Final = re.compile(r"\s*(?:[A-Za-z][\w+.-]*:)?//([^/?#\\]*)$")
_NAME: Final = re.compile(r"\w[\w.-]*(?::\d{1,5})?")
_LABEL: Final = re.compile(r"\w[\w-]*")
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
    is_code = tool in _CODE_TOOLS or field in _CODE or "sql" in field or is_statement
    is_address = field in _ADDRESSES or _ADDRESS.fullmatch(template) is not None
    if not (is_code or is_address or field in _PATHS):
        return ""
    whole = PLACE.fullmatch(template)
    if whole and (whole[1] in inputs or not is_code):
        return ""
    for place in PLACE.finditer(template):
        value, before = values[place[1]], template[: place.start()]
        if not isinstance(value, str):
            continue
        is_host = not is_address or _is_host(value, before, template[place.end() :])
        if not (is_host and _is_word(value, before, is_path=field in _PATHS)):
            return place[1]
    return ""


def _is_word(value: str, before: str, *, is_path: bool) -> bool:
    if _UPWARDS.search(value):
        return False
    wanted = _PATH if is_path else _QUOTED if is_in_quotes(before) else _BARE
    if wanted is _BARE and _is_compared(before):
        wanted = _NUMBER
    return wanted.fullmatch(value) is not None


def _is_compared(before: str) -> bool:
    is_condition = _WHERE.search(before.rpartition(";")[2])
    return bool(is_condition and _COMPARES.search(before[-_COMPARES_CHARS_MAX:]))


def _is_host(value: str, before: str, behind: str) -> bool:
    """Say whether a value changes nothing of whose address it is; another host is a whole one."""
    host = _HOST.match(before)
    if host is None:
        return True
    if not host[1] and (not behind or behind[0] in "/?#:"):
        return _NAME.fullmatch(value) is not None
    is_path = host[1] and value.startswith("/")
    return bool(is_path) or _LABEL.fullmatch(value) is not None
