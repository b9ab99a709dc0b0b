"""`ServerSettings`: every choice a person can make about the server."""

from dataagent_server.settings.server import ServerSettings

__all__ = ["ServerSettings"]
