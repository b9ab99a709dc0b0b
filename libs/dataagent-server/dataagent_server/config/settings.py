"""S0's module path of `ServerSettings`."""

from dataagent_server.settings.server import ServerSettings

__all__ = ["ServerSettings"]
