"""The HTTP client of one server: bounded, with time-outs, dialling only what may be dialled.

Redirects are the SDK's: it follows them within the origin of the server alone.
"""

from typing import Any

import httpx2

from dataagent_core.config.limits.mcp import MCP_GOODBYE_S, MCP_HTTP_CONNECTIONS_MAX, MCP_READ_S
from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.tls import trusted_certificates
from dataagent_core.mcp.transports.http.checked_dial import CheckedBackend, Dialable
from dataagent_core.mcp.transports.http.http_responses import (
    BoundedTransport,
    awaits_its_answer,
    sign_in_error,
    status_error,
)

_LIMITS = httpx2.Limits(max_connections=MCP_HTTP_CONNECTIONS_MAX)


class BoundedClient(httpx2.AsyncClient):
    """An HTTP client with the bounds and the rule; without a rule any address is dialled."""

    def __init__(self, dialable: Dialable | None, **options: Any) -> None:
        # A proxy of the environment would dial for us, beyond the rule.
        trust_env = dialable is None
        super().__init__(
            follow_redirects=False,
            trust_env=trust_env,
            verify=trusted_certificates(trust_env=trust_env),
            **options,
        )
        # httpx2 has no other way in that keeps its own reading of proxies and certificates.
        own: Any = self._transport
        if dialable is not None:
            own._pool._network_backend = CheckedBackend(dialable)  # noqa: SLF001
        self._transport = BoundedTransport(own)
        self._mounts = {
            pattern: None if mounted is None else BoundedTransport(mounted)
            for pattern, mounted in self._mounts.items()
        }


class ServerClient(BoundedClient):
    """Sends for the SDK, and says why a message was refused."""

    # Why the last message was not taken, if somebody has to sign in first.
    sign_in_needed: SignInNeededError | None = None

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send; whoever says goodbye to a server does not wait for it."""
        if request.method == "DELETE":
            request.extensions["timeout"] = httpx2.Timeout(MCP_GOODBYE_S).as_dict()
        try:
            response = await status_error(await super().send(request, **options))
        except SignInNeededError as needed:
            if not awaits_its_answer(request):
                raise
            self.sign_in_needed = needed
            # Raised further it would end the SDK's transport, and every other call with it.
            return sign_in_error(request, needed)
        if response.is_success:
            self.sign_in_needed = None
        return response


def server_client(
    config: MCPServerConfig, dialable: Dialable | None, auth: httpx2.Auth | None
) -> ServerClient:
    """Make the client of a server."""
    check_url(config, ("http", "https"))
    return ServerClient(
        dialable,
        headers=config.headers,
        auth=auth,
        timeout=httpx2.Timeout(config.timeout, read=MCP_READ_S),
        limits=_LIMITS,
    )


def check_url(config: MCPServerConfig, schemes: tuple[str, ...]) -> httpx2.URL:
    """Give the address of a server, or say what is wrong with it."""
    try:
        url = httpx2.URL(config.url)
    except (httpx2.InvalidURL, ValueError):
        url = httpx2.URL("")
    if url.scheme not in schemes or not url.host:
        raise MCPServerError(
            config.name,
            # Without its query, which may hold a key.
            f"cannot be reached: {config.url.partition('?')[0]!r} is no address for it. "
            f"Write one that begins with {' or '.join(f'{scheme}://' for scheme in schemes)}.",
        )
    return url
