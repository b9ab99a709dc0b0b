"""What a program says of itself, without the secrets it was given.

A server that others share may print its environment when it dies; its last words are shown to
whoever tried it, and are on record. Results of its tools are not touched: they are what was asked.
"""

from dataclasses import dataclass

from dataagent_core.config.limits.mcp import MCP_HIDDEN_CHARS_MIN
from dataagent_core.mcp.config import MCPServerConfig

_STARS = "***"


@dataclass(frozen=True, slots=True)
class SecretFilter:
    """Texts that are not to be shown, the longest first: one may hold another."""

    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: MCPServerConfig) -> "SecretFilter":
        """Take the values of `env`, and each line of those that have many, as keys do."""
        values = config.env.values()
        parts = {part.strip() for value in values for part in (value, *value.splitlines())}
        secret = [part for part in parts if len(part) >= MCP_HIDDEN_CHARS_MIN]
        return cls(tuple(sorted(secret, key=len, reverse=True)))

    def hidden_in(self, text: str) -> str:
        """Put stars in their place."""
        for secret in self.texts:
            text = text.replace(secret, _STARS)
        return text


NO_SECRETS = SecretFilter()
