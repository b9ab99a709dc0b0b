"""Live connections of this process: WebSockets and event streams, counted together."""

from dataagent_server.connections.manager import Connection, ConnectionManager, Kind

__all__ = ["Connection", "ConnectionManager", "Kind"]
