"""Tokens of another issuer: to whom they belong, and what they allow.

The operator configures the issuer. A token counts if it is signed by one of the issuer's keys,
names the issuer, is meant for this server's `/mcp` and has not expired. Its tenant claim names a
tenant (without one: the default tenant), its user claim a member of it, by id or else by user name.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection

from dataagent_core.errors import ConfigurationError
from dataagent_core.mcp.server.tool_table import Scope, scopes_in
from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.membership import find_member
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.identity.users.user_rows import find_account
from dataagent_server.settings import ServerSettings

if TYPE_CHECKING:
    from fastmcp.server.auth.providers.jwt import JWTVerifier

PATH: Final = "/mcp"
_TOKEN_CHARS_MAX: Final = 16_000
_JWT_PARTS: Final = 3
_CLAIM_CHARS_MAX: Final = 255


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """A member of a tenant, and the scopes of their token."""

    principal: Principal
    scopes: frozenset[Scope]


def is_jwt(credential: str) -> bool:
    """Tell a JWT from an API key of ours, which has no dots."""
    return credential.count(".") == _JWT_PARTS - 1


def resource_of(settings: ServerSettings) -> str:
    """Return this server's name in tokens: the public URL and `/mcp`."""
    if settings.public_url is None:
        raise ConfigurationError(
            "DATAAGENT_MCP_OAUTH_ISSUER is set, but not DATAAGENT_PUBLIC_URL, which tokens are "
            "issued for. Set it to the address clients use."
        )
    return settings.public_url.rstrip("/") + PATH


class TokenReader:
    """Verifies tokens of the configured issuer."""

    def __init__(self, settings: ServerSettings, database: Database, jwks_url: str) -> None:
        self._database = database
        self._user_claim = settings.mcp_oauth_user_claim
        self._tenant_claim = settings.mcp_oauth_tenant_claim
        self._verifiers = [
            _make_verifier(settings, jwks_url, algorithm)
            for algorithm in settings.mcp_oauth_algorithms
        ]

    async def holder(self, token: str) -> TokenHolder:
        """Return the holder of a token, or refuse it."""
        claims = await self._verify(token) if len(token) <= _TOKEN_CHARS_MAX else None
        if claims is None:
            raise UnauthenticatedError("The token is not valid for this server, or has expired.")
        tenant_id = TenantId(_read_text(claims.get(self._tenant_claim)) or DEFAULT_TENANT)
        user = _read_text(claims.get(self._user_claim))
        principal = await self._database.read(lambda c: _find_principal(c, tenant_id, user))
        if principal is None:
            raise UnauthenticatedError(
                "The token names nobody who is a member here. Its user claim "
                f"({self._user_claim!r}) must be a user id or user name of the tenant in "
                f"{self._tenant_claim!r}."
            )
        return TokenHolder(principal, _read_scopes(claims))

    async def _verify(self, token: str) -> dict[str, Any] | None:
        for verifier in self._verifiers:
            if (found := await verifier.verify_token(token)) is not None:
                return found.claims or {}
        return None


def _make_verifier(settings: ServerSettings, jwks_url: str, algorithm: str) -> "JWTVerifier":
    from fastmcp.server.auth.providers.jwt import JWTVerifier

    return JWTVerifier(
        jwks_uri=jwks_url,
        issuer=settings.mcp_oauth_issuer,
        audience=resource_of(settings),
        algorithm=algorithm,
    )


def _find_principal(connection: Connection, tenant_id: TenantId, user: str) -> Principal | None:
    if not user:
        return None
    if (found := find_member(connection, tenant_id, user)) is not None:
        return found
    account = find_account(connection, tenant_id, user)
    return None if account is None else find_member(connection, tenant_id, account[0])


def _read_scopes(claims: dict[str, Any]) -> frozenset[Scope]:
    given = claims.get("scope", claims.get("scp", ()))
    return scopes_in(given.split() if isinstance(given, str) else given)


def _read_text(claim: object) -> str:
    # A text that cannot be an id is not looked up: not every database accepts every character.
    fits = isinstance(claim, str) and len(claim) <= _CLAIM_CHARS_MAX and claim.isprintable()
    return str(claim) if fits else ""
