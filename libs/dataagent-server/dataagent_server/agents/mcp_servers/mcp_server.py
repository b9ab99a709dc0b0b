"""An MCP server as it is shown, its scope, and the changes of one."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal

from dataagent_core.mcp.config import TransportKind
from dataagent_core.sandbox.port import Network

Scope = Literal["user", "project", "tenant"]


@dataclass(frozen=True, slots=True)
class ServerScope:
    """To whom a server belongs: a user, a project, or the tenant if both are empty."""

    user_id: str = ""
    project_id: str = ""

    @property
    def scope(self) -> Scope:
        if self.user_id:
            return "user"
        return "project" if self.project_id else "tenant"

    def __str__(self) -> str:
        """Name the scope in the audit log."""
        named = self.user_id or self.project_id
        return f"{self.scope}:{named}" if named else self.scope


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPServer:
    """One server, without its secrets: their values are `***`."""

    name: str
    belongs: ServerScope
    created_by: str
    transport: TransportKind
    command: str
    args: list[str]
    env: dict[str, str]
    url: str
    headers: dict[str, str]
    oauth: dict[str, Any] | None
    network: Network | None
    hosts: list[str]
    read_paths: list[str]
    write_paths: list[str]
    disabled: bool
    timeout: int
    version: int
    created_at: datetime
    updated_at: datetime

    @property
    def scope(self) -> Scope:
        return self.belongs.scope

    @property
    def project_id(self) -> str | None:
        return self.belongs.project_id or None

    @property
    def user_id(self) -> str | None:
        return self.belongs.user_id or None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerChanges:
    """The changes of a server; None keeps the stored value, or the default of a new server."""

    command: str | None = None
    args: list[str] | None = None
    # `***` instead of a value keeps it; `***` instead of the whole keeps all of them.
    env: dict[str, str] | Literal["***"] | None = None
    disabled: bool | None = None
    timeout: int | None = None
    # "default" is derived from whether there is a command or an address.
    transport: TransportKind | Literal["default"] | None = None
    url: str | None = None
    headers: dict[str, str] | Literal["***"] | None = None
    # An empty one removes it.
    oauth: dict[str, Any] | None = None
    # "default" restores the tenant's default.
    network: Network | Literal["default"] | None = None
    hosts: list[str] | None = None
    read_paths: list[str] | None = None
    write_paths: list[str] | None = None

    def given(self) -> dict[str, Any]:
        """Return the fields that are not left out, by name."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in found.items() if value is not None}

    def with_defaults(self) -> "ServerChanges":
        """Return the changes with the defaults for all fields that are left out."""
        said = self.given()
        return ServerChanges(**{**_DEFAULTS, **said})


_DEFAULTS: dict[str, Any] = {
    "command": "", "args": [], "env": {}, "disabled": False, "timeout": 30,
    "transport": "default", "url": "", "headers": {}, "oauth": {}, "network": "default",
    "hosts": [], "read_paths": [], "write_paths": [],
}  # fmt: skip
