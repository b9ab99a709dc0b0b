"""Finds the authorization server of an MCP server, from its metadata and our configuration.

    the server's refusal (401) > protected resource metadata (RFC 9728)
                               > authorization server metadata (RFC 8414, OpenID)

The last is found under the issuer the server names, or at the server's own origin as in the first
revisions of MCP. All of it is untrusted: each URL is checked before it is used or stored.
`clients.py` chooses the client.
"""

from dataclasses import dataclass, replace

import httpx2
from mcp.client.auth import OAuthFlowError
from mcp.client.auth.utils import (
    build_oauth_authorization_server_metadata_discovery_urls,
    build_protected_resource_metadata_discovery_urls,
    extract_resource_metadata_from_www_auth,
    extract_scope_from_www_auth,
    handle_auth_metadata_response,
    handle_protected_resource_response,
    issuers_match,
    validate_metadata_issuer,
)
from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig, OAuthSettings
from dataagent_core.mcp.oauth.addresses import check_address, may_carry_secrets, origin
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp
from dataagent_core.mcp.oauth.resource import covers, render_resource_name
from dataagent_core.mcp.oauth.server_words import clean_words, scopes

_UNAUTHORIZED = 401
_TOO_MANY = 429
_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationServer:
    """The metadata of an authorization server that a sign-in needs."""

    issuer: str
    # False with configured end points: then `issuer` is only their origin.
    issuer_known: bool = True
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str = ""
    revocation_endpoint: str = ""
    # None if the metadata does not say.
    auth_methods: tuple[str, ...] | None = None
    scopes_supported: tuple[str, ...] = ()
    takes_client_documents: bool = False
    iss_promised: bool = False


async def _find_named_server(
    config: MCPServerConfig, issuer: str, http: BoundedHttp
) -> AuthorizationServer:
    """Find the authorization server a resource names."""
    check_address(issuer, "authorization server", server=config.name, near=config.url)
    metadata = await _fetch_server_metadata(config, issuer, http)
    if metadata is None:
        raise MCPServerError(
            config.name,
            f"names {clean_words(issuer)!r} as its authorization server, which publishes "
            "no metadata we "
            "can read. Set authorization_endpoint and token_endpoint under `oauth`.",
        )
    try:
        validate_metadata_issuer(metadata, issuer)
    except OAuthFlowError:
        raise _wrong_issuer_error(config, metadata, issuer) from None
    return _read_server(config, metadata)


async def _find_origin_server(
    config: MCPServerConfig, resource: str, refusal: httpx2.Response, http: BoundedHttp
) -> AuthorizationServer:
    """Find the server as in MCP's first revisions: the MCP server's own origin, at fixed paths."""
    origin_url = httpx2.URL(resource).copy_with(path="/", query=None, fragment=None)
    base = str(origin_url).rstrip("/")
    metadata = await _fetch_server_metadata(config, None, http)
    if metadata is not None:
        if not issuers_match(str(metadata.issuer), base):
            raise _wrong_issuer_error(config, metadata, base)
        return _read_server(config, metadata)
    if refusal.status_code != _UNAUTHORIZED:
        raise MCPServerError(
            config.name,
            f"does not ask for a sign-in (it answered {refusal.status_code}) and does not say "
            "where to sign in. If it needs one, set authorization_endpoint, token_endpoint and "
            "client_id under `oauth` in its configuration.",
        )
    return AuthorizationServer(
        issuer=base,
        authorization_endpoint=f"{base}/authorize",
        token_endpoint=f"{base}/token",
        registration_endpoint=f"{base}/register",
    )


async def _fetch_server_metadata(
    config: MCPServerConfig, issuer: str | None, http: BoundedHttp
) -> OAuthMetadata | None:
    for url in build_oauth_authorization_server_metadata_discovery_urls(issuer, config.url):
        response = await http.get(url)
        _check_response(config.name, url, response)
        _, metadata = await handle_auth_metadata_response(response)
        if metadata is not None:
            return metadata
    return None


def _read_server(config: MCPServerConfig, metadata: OAuthMetadata) -> AuthorizationServer:
    methods = metadata.code_challenge_methods_supported
    if methods is not None and "S256" not in methods:
        raise MCPServerError(
            config.name,
            f"uses the authorization server {clean_words(str(metadata.issuer))!r}, which "
            "does not support "
            "PKCE with S256: a sign-in there could be stolen on its way back.",
        )

    def url(found: object, what: str) -> str:
        return check_address(str(found), what, server=config.name, near=config.url)

    revocation = str(metadata.revocation_endpoint or "")
    return AuthorizationServer(
        issuer=str(metadata.issuer),
        authorization_endpoint=url(metadata.authorization_endpoint, "authorization end point"),
        token_endpoint=url(metadata.token_endpoint, "token end point"),
        registration_endpoint=(
            url(metadata.registration_endpoint, "registration end point")
            if metadata.registration_endpoint
            else ""
        ),
        # Optional: an unusable one does not fail the sign-in.
        revocation_endpoint=revocation if may_carry_secrets(revocation, near=config.url) else "",
        auth_methods=(
            tuple(metadata.token_endpoint_auth_methods_supported)
            if metadata.token_endpoint_auth_methods_supported is not None
            else None
        ),
        scopes_supported=tuple(metadata.scopes_supported or ()),
        takes_client_documents=metadata.client_id_metadata_document_supported is True,
        iss_promised=metadata.authorization_response_iss_parameter_supported is True,
    )


def _check_response(server: str, url: str, response: httpx2.Response) -> None:
    """Raise if the server fails: that does not tell whether it publishes metadata."""
    if response.status_code >= _SERVER_ERROR or response.status_code == _TOO_MANY:
        raise MCPServerError(
            server,
            f"cannot be signed in at: {clean_words(url)} answered {response.status_code}. "
            "Try again later.",
        )


def _wrong_issuer_error(
    config: MCPServerConfig, metadata: OAuthMetadata, expected: str
) -> MCPServerError:
    return MCPServerError(
        config.name,
        f"uses the authorization server {clean_words(expected)!r}, whose metadata says it is "
        f"{clean_words(str(metadata.issuer))!r}: one of the two pretends to be the other.",
    )


_PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveredServer:
    """The authorization server, the resource, and the scopes the MCP server asks for."""

    resource: str
    scope: str = ""
    server: AuthorizationServer


async def discover(config: MCPServerConfig, resource: str, http: BoundedHttp) -> DiscoveredServer:
    """Find the authorization server; configured end points are used without discovery."""
    configured = config.oauth or OAuthSettings()
    if configured.authorization_endpoint and configured.token_endpoint:
        server = _read_configured_server(config, configured, resource)
        return DiscoveredServer(resource=render_resource_name(resource), server=server)
    refusal = await _fetch_refusal(config, http)
    metadata = await _fetch_resource_metadata(config, resource, refusal, http)
    if metadata is None:
        scope = scopes(extract_scope_from_www_auth(refusal))
        server = await _find_origin_server(config, resource, refusal, http)
    else:
        requested = extract_scope_from_www_auth(refusal)
        scope = scopes(requested) if requested else scopes(*(metadata.scopes_supported or ()))
        server = await _find_named_server(config, str(metadata.authorization_servers[0]), http)
    return DiscoveredServer(
        resource=str(metadata.resource) if metadata else render_resource_name(resource),
        scope=scope,
        server=_apply_configuration(config, server, configured, resource),
    )


def _read_configured_server(
    config: MCPServerConfig, configured: OAuthSettings, resource: str
) -> AuthorizationServer:
    authorization_endpoint = check_address(
        configured.authorization_endpoint,
        "authorization end point",
        server=config.name,
        near=resource,
    )
    found = origin(authorization_endpoint)
    assert found is not None
    return AuthorizationServer(
        issuer=f"{found[0]}://{found[1]}:{found[2]}",
        issuer_known=False,
        authorization_endpoint=authorization_endpoint,
        token_endpoint=check_address(
            configured.token_endpoint, "token end point", server=config.name, near=resource
        ),
        # A server that does not know MCP: of the two ways to send a secret this one is common.
        auth_methods=("client_secret_post",),
    )


def _apply_configuration(
    config: MCPServerConfig, server: AuthorizationServer, configured: OAuthSettings, resource: str
) -> AuthorizationServer:
    if configured.authorization_endpoint:
        url = configured.authorization_endpoint
        check_address(url, "authorization end point", server=config.name, near=resource)
        server = replace(server, authorization_endpoint=url)
    if configured.token_endpoint:
        url = configured.token_endpoint
        check_address(url, "token end point", server=config.name, near=resource)
        server = replace(server, token_endpoint=url)
    return server


async def _fetch_refusal(config: MCPServerConfig, http: BoundedHttp) -> httpx2.Response:
    """Send a ping without a token: the refusal may name the metadata and the scopes.

    A ping has no effect on a server that accepts it.
    """
    if config.transport == "sse":
        headers = {**config.headers, "Accept": "text/event-stream"}
        return await http.get_headers("GET", config.url, headers)
    headers = {**config.headers, "Accept": "application/json, text/event-stream"}
    return await http.get_headers("POST", config.url, headers, _PING)


async def _fetch_resource_metadata(
    config: MCPServerConfig, resource: str, refusal: httpx2.Response, http: BoundedHttp
) -> ProtectedResourceMetadata | None:
    metadata_url = extract_resource_metadata_from_www_auth(refusal) or None
    if metadata_url is not None:
        check_address(metadata_url, "resource metadata", server=config.name, near=resource)
    for url in build_protected_resource_metadata_discovery_urls(metadata_url, resource):
        response = await http.get(url)
        _check_response(config.name, url, response)
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
