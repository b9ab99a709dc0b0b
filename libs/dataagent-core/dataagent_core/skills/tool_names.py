"""The tools that a skill names, under our names.

`Bash(git:*)` becomes `shell(git *)`; what the brackets allow is decided by
`permissions/active_skills.py`. A name nobody knows stays: it allows nothing unless the agent has
such a tool.
"""

from typing import Final

from dataagent_core.permissions.foreign_tools import read_tool_name
from dataagent_core.permissions.tool_groups import GROUPS

_SEPARATORS: Final = frozenset(",;、\N{FULLWIDTH COMMA}\N{FULLWIDTH SEMICOLON}")


def split_tool_names(text: str) -> list[str]:
    """Split a list of names at spaces, commas and semicolons that are not in brackets."""
    names = [""]
    deep = 0
    for char in text:
        if deep == 0 and (char.isspace() or char in _SEPARATORS):
            names.append("")
            continue
        deep = max(0, deep + (char == "(") - (char == ")"))
        names[-1] += char
    return [name for name in names if name]


def map_tool_names(written: str) -> list[str]:
    """Give the names that one name means; a group of ours (`read`) stays one."""
    if written in GROUPS:
        return [written]
    read = read_tool_name(written)
    brackets = f"({read.resource})" if read.resource else ""
    return [f"{tool}{brackets}" for tool in read.tools]


def map_step_name(written: str) -> str:
    """Give the one tool that a step means; a step has its arguments, so brackets say nothing."""
    return written if written in GROUPS else read_tool_name(written).tools[0]


def is_known_tool(name: str) -> bool:
    """Say whether a name is one of ours, a group of ours, or one of an MCP server."""
    return name in GROUPS or read_tool_name(name).is_known
