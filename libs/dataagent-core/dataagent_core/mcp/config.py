"""Which MCP servers an agent may use, as S0 writes it down. Connecting to them comes later."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPServerConfig:
    """One server that is started as a program."""

    name: str
    command: str
    args: list[str] = field(default_factory=list[str])
    env: dict[str, str] = field(default_factory=dict[str, str])
    disabled: bool = False
    timeout: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPConfig:
    """The servers of one agent."""

    servers: list[MCPServerConfig] = field(default_factory=list[MCPServerConfig])
