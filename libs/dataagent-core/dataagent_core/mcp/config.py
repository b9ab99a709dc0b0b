"""Which MCP servers an agent may use, and how each is reached.

S0's fields keep their names and defaults. Reading and writing files is
`mcp/configuration/config_reader.py`'s and `mcp/configuration/config_writer.py`'s; what a place
allows (commands, network) is decided where a server is started.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from dataagent_core.sandbox.port import Network

TransportKind = Literal["stdio", "http", "sse", "ws"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthSettings:
    """What a person knows of a server's authorization; what is empty is discovered."""

    authorization_endpoint: str = ""
    token_endpoint: str = ""
    # A client registered beforehand; without one we register, or name our client-id document.
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
    # Seconds in which it must be connected.
    timeout: int = 30
    transport: TransportKind = "stdio"
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    # None: signs in only when the server asks for it, with what can be discovered.
    oauth: OAuthSettings | None = None
    # For a program; None is what its place gives: `full` in the CLI, `none` on a server.
    network: Network | None = None
    # Host names that `network = "hosts"` lets through.
    hosts: list[str] = field(default_factory=list[str])
    # Folders of the machine it may read, and those it may also change.
    read_paths: list[str] = field(default_factory=list[str])
    write_paths: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPConfig:
    """The servers of one agent."""

    servers: list[MCPServerConfig] = field(default_factory=list[MCPServerConfig])

    @classmethod
    def from_file(cls, path: Path) -> "MCPConfig":
        """Read any of the known forms; a file that is not there holds no servers."""
        from dataagent_core.mcp.configuration.config_reader import read_config

        return read_config(path)

    def to_file(self, path: Path) -> None:
        """Write S0's list form, readable by its owner alone."""
        from dataagent_core.mcp.configuration.config_writer import write_config

        write_config(self, path)
