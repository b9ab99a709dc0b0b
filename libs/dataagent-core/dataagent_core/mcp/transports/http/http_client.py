"""The HTTP client of one server: bounded, with timeouts, dialling only allowed addresses.

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
    is_answered_in_response,
    sign_in_error,
    status_error,
)

_LIMITS = httpx2.Limits(max_connections=MCP_HTTP_CONNECTIONS_MAX)


class BoundedClient(httpx2.AsyncClient):
    """An HTTP client with bounds and a dial rule; without a rule any address is dialled."""

    def __init__(self, dialable: Dialable | None, **options: Any) -> None:
        # A proxy of the environment would bypass the rule.
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
    """Sends the SDK's requests, and keeps why a message was refused."""

    # Set if the last message was refused until a person signs in.
    sign_in_needed: SignInNeededError | None = None

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request; the one that ends a session has a short timeout."""
        if request.method == "DELETE":
            request.extensions["timeout"] = httpx2.Timeout(MCP_GOODBYE_S).as_dict()
        try:
            response = await status_error(await super().send(request, **options))
        except SignInNeededError as needed:
            if not is_answered_in_response(request):
                raise
            self.sign_in_needed = needed
            # Raised, it would end the SDK's transport with every other call.
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
    """Return the URL of a server, or raise what is wrong with it."""
    try:
        url = httpx2.URL(config.url)
    except (httpx2.InvalidURL, ValueError):
        url = httpx2.URL("")
    if url.scheme not in schemes or not url.host:
        raise MCPServerError(
            config.name,
            # The query may hold a key.
            f"cannot be reached: {config.url.partition('?')[0]!r} is no address for it. "
            f"Write one that begins with {' or '.join(f'{scheme}://' for scheme in schemes)}.",
        )
    return url
