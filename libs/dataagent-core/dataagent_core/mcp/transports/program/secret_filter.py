"""Removes the configured secrets from a program's error output.

A shared server may print its environment when it ends; its last output is shown to users and
recorded. Results of its tools are not changed.
"""

from dataclasses import dataclass

from dataagent_core.config.limits.mcp import MCP_HIDDEN_CHARS_MIN
from dataagent_core.mcp.config import MCPServerConfig

_STARS = "***"


@dataclass(frozen=True, slots=True)
class SecretFilter:
    """Secret texts, the longest first: one may contain another."""

    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: MCPServerConfig) -> "SecretFilter":
        """Take the values of `env`, and each line of those with several, such as keys."""
        values = config.env.values()
        parts = {part.strip() for value in values for part in (value, *value.splitlines())}
        secret = [part for part in parts if len(part) >= MCP_HIDDEN_CHARS_MIN]
        return cls(tuple(sorted(secret, key=len, reverse=True)))

    def redact(self, text: str) -> str:
        """Replace the secrets with stars."""
        for secret in self.texts:
            text = text.replace(secret, _STARS)
        return text


NO_SECRETS = SecretFilter()
