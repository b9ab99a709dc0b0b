"""S0's module path of `ConnectionManager`."""

from dataagent_server.connections.manager import Connection, ConnectionManager

__all__ = ["Connection", "ConnectionManager"]
