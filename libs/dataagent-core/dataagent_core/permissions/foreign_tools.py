"""What the tools of other programs are called here, for files that people bring along.

Skills (`allowed-tools`) and sub-agents (`tools`, `permission`) name the tools of Claude Code,
opencode or Gemini CLI. A name that is in no table is kept: it may be a tool of an MCP server or of
the calling program.
"""

import re
from typing import Final, NamedTuple

from dataagent_core.permissions.shell.line import names
from dataagent_core.permissions.tool_groups import (
    ALLOWED_BY_DEFAULT,
    GROUPS,
    MCP_PREFIX,
    SHELL_TOOLS,
    TASK,
    TASK_TOOLS,
)

# Every tool an agent of ours may have; a test compares it with the code.
OWN_TOOLS: Final[frozenset[str]] = (
    frozenset[str]().union(*GROUPS.values())
    | ALLOWED_BY_DEFAULT
    | SHELL_TOOLS
    | TASK_TOOLS
    | names("code_executor sql_write skill")
)
# In lower case, without `_` and `-`.
_OURS: Final[dict[str, tuple[str, ...]]] = {
    "bash": ("shell",),
    "bashoutput": ("read_output",),
    "runshellcommand": ("shell",),
    "read": ("read_file",),
    "readmanyfiles": ("read_file",),
    "notebookread": ("read_file",),
    "edit": ("edit_file", "multi_edit"),
    "multiedit": ("multi_edit",),
    "replace": ("edit_file",),
    "patch": ("edit_file", "multi_edit", "write_file"),
    "applypatch": ("edit_file", "multi_edit", "write_file"),
    "notebookedit": ("edit_file",),
    "write": ("write_file",),
    "grep": ("grep",),
    "searchfilecontent": ("grep",),
    "glob": ("glob",),
    "ls": ("ls",),
    "list": ("ls",),
    "listdirectory": ("ls",),
    "webfetch": ("fetch_url",),
    "websearch": ("web_search",),
    "googlewebsearch": ("web_search",),
    "task": ("task",),
    "agent": ("task",),
    "todowrite": ("write_todos",),
    "todoread": ("write_todos",),
    "skill": ("skill",),
    "askuserquestion": ("ask_clarification", "ask_decision"),
    "question": ("ask_clarification", "ask_decision"),
    "enterplanmode": ("plan_enter",),
    "exitplanmode": ("propose_plan",),
    "python": ("code_executor",),
    "codeinterpreter": ("code_executor",),
    "codeexecution": ("code_executor",),
}
# `Bash(git diff:*)`: a tool, and what its calls may be about.
_LIMITED = re.compile(r"(?P<tool>[^()\s]+)\((?P<resource>.*)\)")
# `Agent(worker, researcher)`: sub-agents; the patterns of other tools may have commas in them.
_LIST = re.compile(r"[,\uff0c\u3001]")


class ReadTool(NamedTuple):
    """A name as it stands in a file, and the tools of ours that it means."""

    written: str
    tools: tuple[str, ...]
    # What the brackets say of the calls that are meant; empty: all of them.
    resource: str = ""

    @property
    def resources(self) -> tuple[str, ...]:
        """The patterns of the calls that are meant, one by one; none: all of them."""
        if not self.resource or TASK not in self.tools:
            return (self.resource,) if self.resource else ()
        names = tuple(name for part in _LIST.split(self.resource) if (name := part.strip()))
        # A list of nothing allows nothing: no sub-agent has such a name.
        return names or (self.resource,)

    @property
    def is_foreign(self) -> bool:
        """Whether another program's tool is named."""
        return self.written.partition("(")[0] not in self.tools

    @property
    def is_known(self) -> bool:
        """Whether such a tool can exist here: ours, or one of an MCP server."""
        return all(name in OWN_TOOLS or name.startswith(MCP_PREFIX) for name in self.tools)


def read_tool_name(written: str) -> ReadTool:
    """Find the tools that a name means; an unknown name means itself."""
    limited = _LIMITED.fullmatch(written)
    name = limited["tool"] if limited else written
    resource = _read_resource(limited["resource"]) if limited else ""
    if name in OWN_TOOLS:
        return ReadTool(written, (name,), resource)
    ours = _OURS.get(name.lower().replace("_", "").replace("-", ""))
    return ReadTool(written, ours or (name,), resource)


def _read_resource(text: str) -> str:
    """Turn Claude Code's `git diff:*` into our `git diff *`, its `domain:x.com` into `x.com`."""
    text = text.strip().removeprefix("domain:")
    return f"{text[:-2].rstrip()} *" if text.endswith(":*") else text
