"""Sign-in and sign-out of a person, outside any run.

    begin   discovers the authorization server, registers our client, returns the URL to visit
    finish  takes the answer of the browser and stores the tokens
    sign_out

The two halves may be two requests to two processes: `PendingFlows` keeps the state between them,
which is used once.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from mcp.client.auth.oauth2 import PKCEParameters

from dataagent_core.errors import ConfigurationError, MCPServerError, StorageError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth.addresses import may_carry_secrets
from dataagent_core.mcp.oauth.authorization_server import DiscoveredServer, discover
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp, ClientFactory, plain_client
from dataagent_core.mcp.oauth.callback_server import CallbackAnswer, check_answer, unknown_flow
from dataagent_core.mcp.oauth.clients import (
    find_configured_client,
    is_usable,
    read_registration,
    register,
)
from dataagent_core.mcp.oauth.pending_flow import PendingFlow, flow_id
from dataagent_core.mcp.oauth.ports import PendingFlows, TokenStore
from dataagent_core.mcp.oauth.resource import check_resource, resource_of
from dataagent_core.mcp.oauth.server_words import scopes as joined_scopes
from dataagent_core.mcp.oauth.token_requests import CLIENT_UNKNOWN, TokenRefusal, exchange, revoke
from dataagent_core.mcp.oauth.tokens import OAuthTokens
from dataagent_core.mcp.owner import Owner

_STATE_BYTES = 32
_OFFLINE = "offline_access"


class SignInStart(NamedTuple):
    """The URL for the browser, and the stored flow."""

    authorization_url: str
    flow: PendingFlow


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """The sign-ins of one host: a server, or one person's command line."""

    store: TokenStore
    flows: PendingFlows
    client_factory: ClientFactory = plain_client
    # The URL of our client-id document; empty without a public URL.
    document_url: str = ""
    clock: Callable[[], float] = time.time

    async def begin(
        self, owner: Owner, config: MCPServerConfig, redirect_uri: str, scopes: str = ""
    ) -> SignInStart:
        """Prepare a sign-in. `scopes` (of a `SignInNeededError`) replace the usual ones."""
        key = check_resource(config)
        if not may_carry_secrets(redirect_uri, near=redirect_uri):
            raise ConfigurationError(
                f"{redirect_uri!r} cannot be where browsers come back to: that needs https, or "
                "http on this machine. Set DATAAGENT_PUBLIC_URL to the https address people use."
            )
        http = BoundedHttp(config.name, self.client_factory)
        found = await discover(config, key, http)
        scope = _choose_scope(config, found, scopes)
        client = find_configured_client(config, found.server, redirect_uri, self.document_url)
        if client is None:
            earlier = await read_registration(self.store, owner, key)
            if earlier is not None and is_usable(earlier, found.server, redirect_uri, self.clock()):
                client = earlier
        if client is None:
            client = await register(config, found.server, redirect_uri, scope, http)
            await self.store.set_client(owner, key, client)
        pkce = PKCEParameters.generate()
        flow = PendingFlow(
            owner=owner,
            server=config.name,
            key=key,
            resource=found.resource,
            issuer=found.server.issuer,
            issuer_known=found.server.issuer_known,
            iss_promised=found.server.iss_promised,
            token_endpoint=found.server.token_endpoint,
            revocation_endpoint=found.server.revocation_endpoint,
            client=client,
            redirect_uri=redirect_uri,
            scope=scope,
            state=secrets.token_urlsafe(_STATE_BYTES),
            verifier=pkce.code_verifier,
            created_at=self.clock(),
        )
        await self.flows.keep(flow)
        url = _make_authorization_url(
            found.server.authorization_endpoint, flow, pkce.code_challenge
        )
        return SignInStart(url, flow)

    async def finish(self, owner: Owner, answer: CallbackAnswer) -> OAuthTokens:
        """Exchange the answer of the browser of `owner` for tokens and store them. Works once."""
        flow = await self.flows.take(flow_id(answer.state))
        if flow is None:
            raise unknown_flow()
        code = check_answer(flow, answer, owner, self.clock())
        http = BoundedHttp(flow.server, self.client_factory)
        tokens = await exchange(flow, code, http, self.clock)
        if isinstance(tokens, TokenRefusal):
            if tokens.code in CLIENT_UNKNOWN:
                await self.store.delete_client(owner, flow.key)
            raise MCPServerError(flow.server, f"did not sign you in: {tokens.detail}. Try again.")
        async with self.store.lock(owner, flow.key):
            await self.store.set_tokens(owner, flow.key, tokens)
        return tokens

    async def sign_out(self, owner: Owner, config: MCPServerConfig) -> bool:
        """Delete the tokens, then revoke them at the server; return whether it did."""
        key = resource_of(config)
        async with self.store.lock(owner, key):
            try:
                tokens = await self.store.get_tokens(owner, key)
            except (StorageError, ConfigurationError):
                # Unreadable tokens cannot be revoked; they are deleted all the same.
                tokens = None
            await self.store.delete_tokens(owner, key)
            await self.store.delete_client(owner, key)
        if tokens is None or not tokens.revocation_endpoint:
            return False
        try:
            return await revoke(tokens, BoundedHttp(config.name, self.client_factory))
        except MCPServerError:
            return False


def _choose_scope(config: MCPServerConfig, found: DiscoveredServer, wanted: str) -> str:
    """Choose the scopes: requested now, else configured, else named by the server."""
    configured = " ".join(config.oauth.scopes) if config.oauth is not None else ""
    scope = joined_scopes(wanted) or joined_scopes(configured) or found.scope
    # SEP-2207: without it some servers give no refresh token.
    if scope and _OFFLINE in found.server.scopes_supported:
        scope = joined_scopes(scope, _OFFLINE)
    return scope


def _make_authorization_url(endpoint: str, flow: PendingFlow, challenge: str) -> str:
    query = {
        "response_type": "code",
        "client_id": flow.client.client_id,
        "redirect_uri": flow.redirect_uri,
        "state": flow.state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "resource": flow.resource,
    }
    if flow.scope:
        query["scope"] = flow.scope
    if _OFFLINE in flow.scope.split():
        # OpenID requires consent for lasting access.
        query["prompt"] = "consent"
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"
