"""A call as the rules see it: the tool, and the resource it is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from dataagent_core.permissions.layer import Layer, layer_behind
from dataagent_core.permissions.patterns import normal_path
from dataagent_core.permissions.shell.word import UNKNOWN
from dataagent_core.permissions.tool_groups import GROUPS, SHELL_TOOLS
from dataagent_core.sandbox.workspace_place import NO_PLACE, WorkspacePlace

_PATH_TOOLS = GROUPS["read"] | GROUPS["write"]
_DATA_TOOLS = GROUPS["data"] | {"sql_write"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequest:
    """Tool `tool` wants to run with `args`; relative paths begin at `cwd`.

    A file tool's paths are from the workspace's root; a command's are those of programs, which find
    the workspace at `place`.

    A tool from outside may become another one under its name, so its `version` is what the call is
    about: an "always" covers that version, a rule without a resource every one. `once_only`: an
    "always" covers nothing. `declared` is why the tool itself wants a person asked: only a rule
    answers that, neither a default nor a mode nor who handed the tool in. `layer`: what stands
    behind the judge of command lines.
    """

    tool: str
    args: Mapping[str, Any]
    cwd: str = "/"
    place: WorkspacePlace = NO_PLACE
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
    def is_path(self) -> bool:
        """Whether the resource is a path."""
        return self.tool in _PATH_TOOLS

    @property
    def resource(self) -> str:
        """What the call is about: a path, a host, a name, a version; empty where nothing is."""
        if self.version:
            return self.version
        if self.is_path:
            path = self.args.get("file_path", self.args.get("path", "/"))
            return normal_path(path or "/", self.cwd) if isinstance(path, str) else UNKNOWN
        if self.tool in _DATA_TOOLS:
            source = self.args.get("source") or ""
            return source if isinstance(source, str) else UNKNOWN
        if "url" in self.args:
            return host_of(self.args["url"])
        kind = self.args.get("subagent_type", "")
        return kind if isinstance(kind, str) else UNKNOWN


def request_about(
    tool: str, subject: str, place: WorkspacePlace = NO_PLACE, sandbox_type: str | None = None
) -> PermissionRequest:
    """Make a call that nobody makes, to ask what would become of it."""
    if tool in SHELL_TOOLS:
        named = "command"
    elif tool in _PATH_TOOLS:
        named = "file_path"
    elif tool in _DATA_TOOLS:
        named = "source"
    else:
        named = "url" if tool in GROUPS["web"] - {"web_search"} else "input"
    if named == "file_path":
        subject = place.of_tool(subject)
    return PermissionRequest(
        tool=tool, args={named: subject}, place=place, layer=layer_behind(sandbox_type)
    )


def host_of(url: object) -> str:
    """Give the host of an address, in one spelling; something unknown if it has none."""
    if not isinstance(url, str) or "\\" in url:
        return UNKNOWN
    try:
        host = urlsplit(url.strip()).hostname
        return (host or UNKNOWN).rstrip(".").encode("idna").decode() if host else UNKNOWN
    except (ValueError, UnicodeError):
        return UNKNOWN
