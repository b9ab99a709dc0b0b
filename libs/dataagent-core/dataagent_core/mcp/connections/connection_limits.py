"""What a place allows its MCP connections; the defaults are for one machine with many people."""

from dataclasses import dataclass

from dataagent_core.config.limits.mcp import (
    MCP_CALLS_PER_CONNECTION_MAX,
    MCP_CONNECTIONS_MAX,
    MCP_CONNECTIONS_PER_USER_MAX,
    MCP_IDLE_S,
    MCP_LINGER_S,
    MCP_RETRY_BASE_S,
    MCP_RETRY_DELAY_S_MAX,
    MCP_SERVERS_PER_USER_MAX,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How many connections, for how long, and how often a failing server is tried."""

    servers_per_user: int = MCP_SERVERS_PER_USER_MAX
    # Connections, and so processes, that are open, being opened or being closed at one time.
    connections_per_user: int = MCP_CONNECTIONS_PER_USER_MAX
    connections: int = MCP_CONNECTIONS_MAX
    calls_per_connection: int = MCP_CALLS_PER_CONNECTION_MAX
    idle_s: float = MCP_IDLE_S
    linger_s: float = MCP_LINGER_S
    retry_base_s: float = MCP_RETRY_BASE_S
    retry_delay_s_max: float = MCP_RETRY_DELAY_S_MAX
