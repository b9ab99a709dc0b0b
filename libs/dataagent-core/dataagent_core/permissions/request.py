"""`PermissionRequest`: a call as the rules see it: tool, resource, and sandbox layer.

A command line can be judged wrongly, so the layer matters. With `read_only`, a line that only reads
runs in a sandbox where every file is read-only, and a wrong judgement does no harm. With `none`
(the shell of the host, a remote machine) only an exact list of commands passes without asking.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from dataagent_core.config.sandbox_types import LOCAL
from dataagent_core.permissions.patterns import normalize_path
from dataagent_core.permissions.shell.line import UNKNOWN
from dataagent_core.permissions.tool_groups import (
    DATA_TOOLS,
    GROUPS,
    PATH_TOOLS,
    SHELL_TOOLS,
    TASK_TOOLS,
)
from dataagent_core.sandbox.paths.workspace_location import ROOT_LOCATION, WorkspaceLocation

Layer = Literal["read_only", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequest:
    """Tool `tool` wants to run with `args`; relative paths begin at `cwd`.

    A file tool's paths are from the workspace's root; a command's are those of programs, which find
    the workspace at `place`.

    A tool from outside may become another one under its name, so its `version` is what the call is
    about: an "always" covers that version, a rule without a resource every one. `once_only`: an
    "always" covers nothing. `declared` is why the tool itself wants a person asked: only a rule
    answers that, neither a default nor a mode nor the owner of the tool. `layer`: the sandbox
    layer in which command lines run.
    """

    tool: str
    args: Mapping[str, Any]
    cwd: str = "/"
    place: WorkspaceLocation = ROOT_LOCATION
    version: str = ""
    once_only: bool = False
    declared: str = ""
    layer: Layer = "read_only"

    @property
    def command(self) -> str | None:
        """The command line, for a shell."""
        if self.tool not in SHELL_TOOLS:
            return None
        command = self.args.get("command")
        return command if isinstance(command, str) else UNKNOWN

    @property
    def resource(self) -> str:
        """What the call is about: a path, a host, a name, a version; or empty."""
        if self.version:
            return self.version
        if self.tool in PATH_TOOLS:
            path = self.args.get("file_path", self.args.get("path", "/"))
            return normalize_path(path or "/", self.cwd) if isinstance(path, str) else UNKNOWN
        if self.tool in DATA_TOOLS:
            source = self.args.get("source") or ""
            return source if isinstance(source, str) else UNKNOWN
        if self.tool == "skill":
            name = self.args.get("name") or ""
            # The tool finds a skill by its name without the spaces around it.
            return name.strip() if isinstance(name, str) else UNKNOWN
        if "url" in self.args and self.tool not in TASK_TOOLS:
            return parse_host(self.args["url"])
        return _read_subagent(self.args)

    @property
    def resources(self) -> tuple[str, ...]:
        """All that the call is about: a task may name a sub-agent for each of its steps."""
        then = self.args.get("then") if self.tool in TASK_TOOLS else None
        if not then:
            return (self.resource,)
        steps = then if isinstance(then, list) else [then]
        return tuple(dict.fromkeys((self.resource, *map(_read_subagent, steps))))


def make_request(
    tool: str,
    subject: str,
    place: WorkspaceLocation = ROOT_LOCATION,
    sandbox_type: str | None = None,
) -> PermissionRequest:
    """Make a hypothetical call, to see what would be decided about it."""
    if tool in SHELL_TOOLS:
        named = "command"
    elif tool in PATH_TOOLS:
        named = "file_path"
    elif tool in DATA_TOOLS:
        named = "source"
    else:
        named = "url" if tool in GROUPS["web"] - {"web_search"} else "input"
    if named == "file_path":
        subject = place.from_tool(subject)
    return PermissionRequest(
        tool=tool, args={named: subject}, place=place, layer=find_layer(sandbox_type)
    )


def find_layer(sandbox_type: str | None) -> Layer:
    """Find the layer of a sandbox type; None is the sandbox of this machine."""
    return "read_only" if sandbox_type in {None, LOCAL} else "none"


def _read_subagent(step: object) -> str:
    name = step.get("subagent_type", "") if isinstance(step, Mapping) else UNKNOWN
    return name if isinstance(name, str) else UNKNOWN


def parse_host(url: object) -> str:
    """Give the host of an address, in one spelling; something unknown if it has none."""
    if not isinstance(url, str) or "\\" in url:
        return UNKNOWN
    try:
        host = urlsplit(url.strip()).hostname
        return (host or UNKNOWN).rstrip(".").encode("idna").decode() if host else UNKNOWN
    except (ValueError, UnicodeError):
        return UNKNOWN
