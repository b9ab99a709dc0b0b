"""What signs people in for a server: its metadata, read and checked.

Found under the issuer a server names (RFC 8414, OpenID), or at the server's own origin as the
first revisions of MCP had it.
"""

from dataclasses import dataclass

import httpx2
from mcp.client.auth import OAuthFlowError
from mcp.client.auth.utils import (
    build_oauth_authorization_server_metadata_discovery_urls,
    handle_auth_metadata_response,
    issuers_match,
    validate_metadata_issuer,
)
from mcp.shared.auth import OAuthMetadata

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth.addresses import check_address, may_carry_secrets
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp
from dataagent_core.mcp.oauth.server_words import clean_words

_UNAUTHORIZED = 401
_TOO_MANY = 429
_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationServer:
    """What signs people in, as far as we need to know it."""

    issuer: str
    # False with end points a person wrote down: then `issuer` is only their origin.
    issuer_known: bool = True
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str = ""
    revocation_endpoint: str = ""
    # None: it did not say.
    auth_methods: tuple[str, ...] | None = None
    scopes_supported: tuple[str, ...] = ()
    takes_client_documents: bool = False
    iss_promised: bool = False


async def named_server(
    config: MCPServerConfig, issuer: str, http: BoundedHttp
) -> AuthorizationServer:
    """Find the server a resource names."""
    check_address(issuer, "authorization server", server=config.name, near=config.url)
    metadata = await _server_metadata(config, issuer, http)
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
        raise _wrong_issuer(config, metadata, issuer) from None
    return _described(config, metadata)


async def server_of_the_first_revisions(
    config: MCPServerConfig, resource: str, refusal: httpx2.Response, http: BoundedHttp
) -> AuthorizationServer:
    """Find the server of the first revisions: the MCP server's own origin, at fixed paths."""
    found = httpx2.URL(resource).copy_with(path="/", query=None, fragment=None)
    base = str(found).rstrip("/")
    metadata = await _server_metadata(config, None, http)
    if metadata is not None:
        if not issuers_match(str(metadata.issuer), base):
            raise _wrong_issuer(config, metadata, base)
        return _described(config, metadata)
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


async def _server_metadata(
    config: MCPServerConfig, issuer: str | None, http: BoundedHttp
) -> OAuthMetadata | None:
    for url in build_oauth_authorization_server_metadata_discovery_urls(issuer, config.url):
        response = await http.get(url)
        stop_at_failure(config.name, url, response)
        _, metadata = await handle_auth_metadata_response(response)
        if metadata is not None:
            return metadata
    return None


def _described(config: MCPServerConfig, metadata: OAuthMetadata) -> AuthorizationServer:
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
        # Not worth failing a sign-in for.
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


def stop_at_failure(server: str, url: str, response: httpx2.Response) -> None:
    """Guess no further: a failing server says nothing about whether it publishes metadata."""
    if response.status_code >= _SERVER_ERROR or response.status_code == _TOO_MANY:
        raise MCPServerError(
            server,
            f"cannot be signed in at: {clean_words(url)} answered {response.status_code}. "
            "Try again later.",
        )


def _wrong_issuer(
    config: MCPServerConfig, metadata: OAuthMetadata, expected: str
) -> MCPServerError:
    return MCPServerError(
        config.name,
        f"uses the authorization server {clean_words(expected)!r}, whose metadata says it is "
        f"{clean_words(str(metadata.issuer))!r}: one of the two pretends to be the other.",
    )
