"""Where one signs in for a server: what it says itself, and what a person wrote down.

    the server's refusal (401) > protected resource metadata (RFC 9728)
                               > authorization server metadata (RFC 8414, OpenID)

Everything found is a stranger's word: each URL is checked before it is used or kept. The last step
is `authorization_server.py`'s, choosing a client `clients.py`'s.
"""

from dataclasses import dataclass, replace

import httpx2
from mcp.client.auth.utils import (
    build_protected_resource_metadata_discovery_urls,
    extract_resource_metadata_from_www_auth,
    extract_scope_from_www_auth,
    handle_protected_resource_response,
)
from mcp.shared.auth import ProtectedResourceMetadata

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig, OAuthSettings
from dataagent_core.mcp.oauth.addresses import check_address, origin
from dataagent_core.mcp.oauth.authorization_server import (
    AuthorizationServer,
    named_server,
    server_of_the_first_revisions,
    stop_at_failure,
)
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp
from dataagent_core.mcp.oauth.resource import covers, render_resource_name
from dataagent_core.mcp.oauth.server_words import clean_words, scopes

_PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveredServer:
    """Where to sign in, for which resource, and with which scopes the server asks for."""

    resource: str
    scope: str = ""
    server: AuthorizationServer


async def discover(config: MCPServerConfig, resource: str, http: BoundedHttp) -> DiscoveredServer:
    """Find out; what a person wrote down is believed and not looked for."""
    static = config.oauth or OAuthSettings()
    if static.authorization_endpoint and static.token_endpoint:
        server = _written_down(config, static, resource)
        return DiscoveredServer(resource=render_resource_name(resource), server=server)
    refusal = await _refusal(config, http)
    metadata = await _resource_metadata(config, resource, refusal, http)
    if metadata is None:
        scope = scopes(extract_scope_from_www_auth(refusal))
        server = await server_of_the_first_revisions(config, resource, refusal, http)
    else:
        asked = extract_scope_from_www_auth(refusal)
        scope = scopes(asked) if asked else scopes(*(metadata.scopes_supported or ()))
        server = await named_server(config, str(metadata.authorization_servers[0]), http)
    return DiscoveredServer(
        resource=str(metadata.resource) if metadata else render_resource_name(resource),
        scope=scope,
        server=_with_written_down(config, server, static, resource),
    )


def _written_down(
    config: MCPServerConfig, static: OAuthSettings, resource: str
) -> AuthorizationServer:
    asked_at = check_address(
        static.authorization_endpoint, "authorization end point", server=config.name, near=resource
    )
    found = origin(asked_at)
    assert found is not None
    return AuthorizationServer(
        issuer=f"{found[0]}://{found[1]}:{found[2]}",
        issuer_known=False,
        authorization_endpoint=asked_at,
        token_endpoint=check_address(
            static.token_endpoint, "token end point", server=config.name, near=resource
        ),
        # Servers outside the world of MCP: of the two ways to send a secret the one all know.
        auth_methods=("client_secret_post",),
    )


def _with_written_down(
    config: MCPServerConfig, server: AuthorizationServer, static: OAuthSettings, resource: str
) -> AuthorizationServer:
    if static.authorization_endpoint:
        url = static.authorization_endpoint
        check_address(url, "authorization end point", server=config.name, near=resource)
        server = replace(server, authorization_endpoint=url)
    if static.token_endpoint:
        url = static.token_endpoint
        check_address(url, "token end point", server=config.name, near=resource)
        server = replace(server, token_endpoint=url)
    return server


async def _refusal(config: MCPServerConfig, http: BoundedHttp) -> httpx2.Response:
    """Knock without a token: the refusal may say where the metadata is and which scopes it needs.

    A ping leaves nothing behind at a server that lets us in.
    """
    if config.transport == "sse":
        headers = {**config.headers, "Accept": "text/event-stream"}
        return await http.look("GET", config.url, headers)
    headers = {**config.headers, "Accept": "application/json, text/event-stream"}
    return await http.look("POST", config.url, headers, _PING)


async def _resource_metadata(
    config: MCPServerConfig, resource: str, refusal: httpx2.Response, http: BoundedHttp
) -> ProtectedResourceMetadata | None:
    named = extract_resource_metadata_from_www_auth(refusal) or None
    if named is not None:
        check_address(named, "resource metadata", server=config.name, near=resource)
    for url in build_protected_resource_metadata_discovery_urls(named, resource):
        response = await http.get(url)
        stop_at_failure(config.name, url, response)
        metadata = await handle_protected_resource_response(response)
        if metadata is None:
            continue
        if not covers(str(metadata.resource), resource):
            raise MCPServerError(
                config.name,
                f"says that it is {clean_words(str(metadata.resource))!r}, but was reached at "
                f"{render_resource_name(resource)!r}: tokens for the one are not to be sent to the "
                "other. Set the url it names, or ask whoever runs it.",
            )
        return metadata
    return None
