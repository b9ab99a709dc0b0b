"""`ServerSettings`: all settings of the server."""

from dataagent_server.settings.server import ServerSettings

__all__ = ["ServerSettings"]
