"""S0's module path of `ConnectionManager`."""

from dataagent_server.sessions.live.connection_manager import Connection, ConnectionManager

__all__ = ["Connection", "ConnectionManager"]
