"""Requests to a token end point, and the reading of its answers."""

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import quote

import httpx2
from mcp.shared.auth import OAuthToken
from pydantic import ValidationError
from pydantic_core import from_json

from dataagent_core.config.limits.mcp import MCP_AUTH_LIFETIME_S_MAX, MCP_AUTH_TOKEN_CHARS_MAX
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp
from dataagent_core.mcp.oauth.pending_flow import PendingFlow
from dataagent_core.mcp.oauth.server_words import clean_words, scopes
from dataagent_core.mcp.oauth.tokens import ClientRegistration, OAuthTokens

_OK = (200, 201)
_CLIENT_ERROR = range(400, 500)
_TOO_MANY = 429
# Characters a header can carry.
_TOKEN = re.compile(r"[\x21-\x7e]+\Z")
# The server does not know our client: the next sign-in registers a new one.
CLIENT_UNKNOWN = ("invalid_client", "unauthorized_client")
_TEMPORARY = ("temporarily_unavailable", "server_error", "slow_down")


@dataclass(frozen=True, slots=True)
class TokenRefusal:
    """A refusal of the end point. `code` is the OAuth error code, empty if there was none."""

    code: str
    detail: str
    # A retry will not help: a person must sign in.
    for_good: bool


async def exchange(
    flow: PendingFlow, code: str, http: BoundedHttp, clock: Callable[[], float]
) -> OAuthTokens | TokenRefusal:
    """Exchange a code for the first tokens."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": flow.redirect_uri,
        "code_verifier": flow.verifier,
        "resource": flow.resource,
    }
    response = await _post(flow.token_endpoint, form, flow.client, http)
    reply = _read_token(response, flow.server)
    if isinstance(reply, TokenRefusal):
        return reply
    now = clock()
    return OAuthTokens(
        access_token=reply.access_token,
        refresh_token=reply.refresh_token or "",
        obtained_at=now,
        expires_at=_expires_at(reply, now),
        # Left out means: as requested (RFC 6749 §5.1).
        scope=scopes(reply.scope) or flow.scope,
        resource=flow.resource,
        token_endpoint=flow.token_endpoint,
        revocation_endpoint=flow.revocation_endpoint,
        client=flow.client,
    )


async def renew(
    tokens: OAuthTokens, server: str, http: BoundedHttp, clock: Callable[[], float]
) -> OAuthTokens | TokenRefusal:
    """Get new tokens for the refresh token, which may become invalid."""
    form = {
        "grant_type": "refresh_token",
        "refresh_token": tokens.refresh_token,
        "resource": tokens.resource,
    }
    response = await _post(tokens.token_endpoint, form, tokens.client, http)
    reply = _read_token(response, server)
    if isinstance(reply, TokenRefusal):
        return reply
    now = clock()
    return replace(
        tokens,
        access_token=reply.access_token,
        # Without a new one the old one stays valid (RFC 6749 §6).
        refresh_token=reply.refresh_token or tokens.refresh_token,
        obtained_at=now,
        expires_at=_expires_at(reply, now),
        scope=scopes(reply.scope) or tokens.scope,
    )


async def revoke(tokens: OAuthTokens, http: BoundedHttp) -> bool:
    """Revoke both tokens at the server (RFC 7009); return whether it did."""
    done = True
    for token, hint in (
        (tokens.refresh_token, "refresh_token"),
        (tokens.access_token, "access_token"),
    ):
        if token:
            form = {"token": token, "token_type_hint": hint}
            response = await _post(tokens.revocation_endpoint, form, tokens.client, http)
            done = done and response.status_code in _OK
    return done


async def _post(
    url: str, form: dict[str, str], client: ClientRegistration, http: BoundedHttp
) -> httpx2.Response:
    form = {**form, "client_id": client.client_id}
    headers: dict[str, str] = {}
    match client.auth_method:
        case "client_secret_basic":
            # Each part is encoded by itself first (RFC 6749 §2.3.1).
            pair = f"{quote(client.client_id, safe='')}:{quote(client.client_secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        case "client_secret_post":
            form["client_secret"] = client.client_secret
        case "none":
            pass
    return await http.post_form(url, form, headers)


def _read_token(response: httpx2.Response, server: str) -> OAuthToken | TokenRefusal:
    fields = _read_fields(response)
    # Some servers refuse with a 200.
    if response.status_code not in _OK or "error" in fields:
        return _make_refusal(response, fields)
    try:
        token = OAuthToken.model_validate(fields)
    except ValidationError:
        token = None
    if (
        token is None
        or not _is_usable(token.access_token)
        or not _is_usable(token.refresh_token or "-")
    ):
        raise MCPServerError(
            server,
            f"could not be signed in at: {clean_words(str(response.url))} answered with "
            "something that "
            "is no bearer token.",
        )
    return token


def _read_fields(response: httpx2.Response) -> dict[str, Any]:
    try:
        body: Any = from_json(response.content)
    except ValueError:
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}


def _make_refusal(response: httpx2.Response, fields: dict[str, Any]) -> TokenRefusal:
    code = clean_words(str(fields.get("error") or ""))
    detail = clean_words(str(fields.get("error_description") or ""))
    status = response.status_code
    message = f"{code}: {detail}" if code and detail else code or detail or f"status {status}"
    if response.is_redirect:
        message += ", a redirect, which is not followed"
    is_definite = status in _OK or (status in _CLIENT_ERROR and status != _TOO_MANY)
    return TokenRefusal(
        code, message, for_good=bool(code) and is_definite and code not in _TEMPORARY
    )


def _is_usable(token: str) -> bool:
    return len(token) <= MCP_AUTH_TOKEN_CHARS_MAX and _TOKEN.match(token) is not None


def _expires_at(token: OAuthToken, now: float) -> float | None:
    if token.expires_in is None:
        return None
    return now + min(max(token.expires_in, 0), MCP_AUTH_LIFETIME_S_MAX)
