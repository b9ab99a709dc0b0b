"""Finds the keys of an issuer from its metadata, once, at the first use."""

import asyncio
from typing import Any, Final

import httpx2

from dataagent_core.errors import ConfigurationError
from dataagent_server.settings import ServerSettings

_METADATA_PATHS: Final = (
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
)
_WAIT_S: Final = 10.0
_BYTES_MAX: Final = 1_000_000


class KeySource:
    """Finds the address of the issuer's keys; a configured address takes precedence."""

    def __init__(self, settings: ServerSettings) -> None:
        self._issuer = (settings.mcp_oauth_issuer or "").rstrip("/")
        self._url = settings.mcp_oauth_jwks_url
        self._lock = asyncio.Lock()

    async def url(self) -> str:
        """Return it."""
        async with self._lock:
            if self._url is None:
                self._url = await self._discover()
            return self._url

    async def _discover(self) -> str:
        async with httpx2.AsyncClient(timeout=_WAIT_S) as client:
            for path in _METADATA_PATHS:
                try:
                    answer = await client.get(self._issuer + path)
                except httpx2.HTTPError:
                    continue
                if (found := _read_jwks_url(answer)) is not None:
                    return found
        raise ConfigurationError(
            f"The issuer {self._issuer!r} (DATAAGENT_MCP_OAUTH_ISSUER) does not say where its keys "
            "are. Set DATAAGENT_MCP_OAUTH_JWKS_URL."
        )


def _read_jwks_url(answer: httpx2.Response) -> str | None:
    if not answer.is_success or len(answer.content) > _BYTES_MAX:
        return None
    try:
        metadata: Any = answer.json()
    except ValueError:
        return None
    match metadata:
        case {"jwks_uri": str(url)} if url.startswith(("https://", "http://")):
            return url
        case _:
            return None
