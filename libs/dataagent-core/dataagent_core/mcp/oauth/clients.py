"""Chooses our client at an authorization server.

In this order: a configured client, our client-id document, the stored registration, or a new
registration (RFC 7591).
"""

from typing import cast, get_args

from mcp.client.auth import OAuthFlowError
from mcp.client.auth.utils import handle_registration_response, issuers_match
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata
from pydantic import AnyUrl

from dataagent_core.errors import ConfigurationError, MCPServerError, StorageError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth.addresses import is_loopback
from dataagent_core.mcp.oauth.authorization_server import AuthorizationServer
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp
from dataagent_core.mcp.oauth.client_page import CLIENT_NAME
from dataagent_core.mcp.oauth.ports import TokenStore
from dataagent_core.mcp.oauth.server_words import clean_words
from dataagent_core.mcp.oauth.tokens import ClientAuthMethod, ClientRegistration
from dataagent_core.mcp.owner import Owner

# RFC 8414: the default of a server that does not say.
_DEFAULT_METHODS = ("client_secret_basic",)


def find_configured_client(
    config: MCPServerConfig,
    server: AuthorizationServer,
    redirect_uri: str,
    document_url: str,
) -> ClientRegistration | None:
    """Return the client that needs no registration, if there is one."""
    if config.oauth is not None and config.oauth.client_id:
        secret = config.oauth.client_secret
        return ClientRegistration(
            client_id=config.oauth.client_id,
            client_secret=secret,
            auth_method=_choose_method(config.name, server, secret),
            issuer=server.issuer,
            redirect_uris=(redirect_uri,),
        )
    if document_url and server.takes_client_documents and not is_loopback(redirect_uri):
        return ClientRegistration(
            client_id=document_url, issuer=server.issuer, redirect_uris=(redirect_uri,)
        )
    return None


def is_usable(
    client: ClientRegistration, server: AuthorizationServer, redirect_uri: str, now: float
) -> bool:
    """Return whether a registration is valid: same server, same redirect URI, not expired."""
    return (
        issuers_match(client.issuer, server.issuer)
        and redirect_uri in client.redirect_uris
        and (client.secret_expires_at is None or client.secret_expires_at > now)
    )


async def read_registration(store: TokenStore, owner: Owner, key: str) -> ClientRegistration | None:
    """Read the stored registration; None if it is unreadable, and a new one is made."""
    try:
        return await store.get_client(owner, key)
    except (StorageError, ConfigurationError):
        return None


async def register(
    config: MCPServerConfig,
    server: AuthorizationServer,
    redirect_uri: str,
    scope: str,
    http: BoundedHttp,
) -> ClientRegistration:
    """Register a client at a server that supports it."""
    if not server.registration_endpoint:
        raise MCPServerError(
            config.name,
            f"uses the authorization server {clean_words(server.issuer)!r}, which "
            "registers no clients by "
            f"itself. Register one there with the redirect URI {redirect_uri} and set client_id "
            "(and client_secret) under `oauth` in the server's configuration.",
        )
    method = _choose_registration_method(config.name, server)
    metadata = OAuthClientMetadata(
        redirect_uris=[AnyUrl(redirect_uri)],
        token_endpoint_auth_method=method,
        client_name=CLIENT_NAME,
        scope=scope or None,
        application_type="native" if is_loopback(redirect_uri) else "web",
    ).model_dump(mode="json", exclude_none=True)
    # In the form that is compared later: pydantic may normalize a URL.
    metadata["redirect_uris"] = [redirect_uri]
    response = await http.post_json(server.registration_endpoint, metadata)
    try:
        answer = await handle_registration_response(response)
    except OAuthFlowError as error:
        raise MCPServerError(
            config.name,
            f"could not be signed in at: {clean_words(server.registration_endpoint)} did "
            "not register "
            f"us: {clean_words(str(error))}",
        ) from None
    return _read_answer(config.name, server, redirect_uri, answer, method)


def _read_answer(
    name: str,
    server: AuthorizationServer,
    redirect_uri: str,
    answer: OAuthClientInformationFull,
    requested: ClientAuthMethod,
) -> ClientRegistration:
    secret = answer.client_secret or ""
    # Without a method in the answer the requested one counts, even with a secret.
    method = answer.token_endpoint_auth_method or requested
    if method not in get_args(ClientAuthMethod) or (method != "none" and not secret):
        raise MCPServerError(
            name,
            f"could not be signed in at: {clean_words(server.issuer)!r} registered us to "
            "prove ourselves "
            f"by {clean_words(method)!r}, which we cannot.",
        )
    return ClientRegistration(
        client_id=answer.client_id,
        client_secret=secret,
        auth_method=cast("ClientAuthMethod", method),
        issuer=server.issuer,
        redirect_uris=(redirect_uri,),
        # 0 means never (RFC 7591).
        secret_expires_at=float(answer.client_secret_expires_at or 0) or None,
    )


def _choose_method(name: str, server: AuthorizationServer, secret: str) -> ClientAuthMethod:
    if not secret:
        return "none"
    offered = _DEFAULT_METHODS if server.auth_methods is None else server.auth_methods
    for method in offered:
        if method in ("client_secret_basic", "client_secret_post"):
            return method
    if "none" in offered:
        return "none"
    raise _no_method_error(name, server)


def _choose_registration_method(name: str, server: AuthorizationServer) -> ClientAuthMethod:
    offered = server.auth_methods
    # Without a secret nothing can leak: PKCE protects the code.
    if offered is None or "none" in offered:
        return "none"
    return _choose_method(name, server, "a secret it will give us")


def _no_method_error(name: str, server: AuthorizationServer) -> MCPServerError:
    return MCPServerError(
        name,
        f"uses the authorization server {clean_words(server.issuer)!r}, which takes "
        "clients only by "
        f"{clean_words(', '.join(server.auth_methods or ()))}: we know none, "
        "client_secret_basic and "
        "client_secret_post.",
    )
