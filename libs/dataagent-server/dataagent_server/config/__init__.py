"""The server's settings, under S0's module path."""

from dataagent_server.config.settings import ServerSettings

__all__ = ["ServerSettings"]
