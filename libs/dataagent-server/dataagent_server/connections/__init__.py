"""Live connections of this process: WebSockets and event streams, counted together."""

from dataagent_server.connections.manager import Connection, ConnectionManager, Kind
from dataagent_server.connections.share import FairShare

__all__ = ["Connection", "ConnectionManager", "FairShare", "Kind"]
