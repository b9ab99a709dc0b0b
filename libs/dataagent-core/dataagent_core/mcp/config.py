"""The configuration of an agent's MCP servers.

S0's fields keep their names and defaults. `configuration/config_file.py` reads and writes files;
what a host allows (commands, network) is decided where a server is started.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from dataagent_core.sandbox.port import Network

TransportKind = Literal["stdio", "http", "sse", "ws"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthSettings:
    """Configured OAuth settings of a server; empty ones are discovered."""

    authorization_endpoint: str = ""
    token_endpoint: str = ""
    # A configured client; without one we register, or use our client-id document.
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPServerConfig:
    """One server: a program that is started, or an address."""

    name: str
    command: str = ""
    args: list[str] = field(default_factory=list[str])
    env: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    disabled: bool = False
    # Seconds for the connect.
    timeout: int = 30
    transport: TransportKind = "stdio"
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    # None: a sign-in only if the server asks for it, with discovered settings.
    oauth: OAuthSettings | None = None
    # For a program; None is the host's default: `full` in the CLI, `none` on a server.
    network: Network | None = None
    # Host names that `network = "hosts"` allows.
    hosts: list[str] = field(default_factory=list[str])
    # Folders of the machine it may read, and those it may also write.
    read_paths: list[str] = field(default_factory=list[str])
    write_paths: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPConfig:
    """The servers of one agent."""

    servers: list[MCPServerConfig] = field(default_factory=list[MCPServerConfig])

    @classmethod
    def from_file(cls, path: Path) -> "MCPConfig":
        """Read any of the known forms; a missing file holds no servers."""
        from dataagent_core.mcp.configuration.config_file import read_config

        return read_config(path)

    def to_file(self, path: Path) -> None:
        """Write S0's list form, readable by its owner only."""
        from dataagent_core.mcp.configuration.config_file import write_config

        write_config(self, path)
