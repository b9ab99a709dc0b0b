"""The result of a sign-in: tokens, and the client they were issued to.

Both hold everything a renewal needs, so it needs no discovery and works while the MCP server is
down. They are serialized as JSON, which a store encrypts.
"""

import json
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter, ValidationError

from dataagent_core.errors import StorageError

ClientAuthMethod = Literal["none", "client_secret_basic", "client_secret_post"]
_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRegistration:
    """Our client at one authorization server."""

    client_id: str
    client_secret: str = field(default="", repr=False)
    auth_method: ClientAuthMethod = "none"
    # The server that issued this client; it is never sent to another.
    issuer: str
    redirect_uris: tuple[str, ...] = ()
    secret_expires_at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthTokens:
    """The tokens of one person for one resource, with what renews and revokes them."""

    access_token: str = field(repr=False)
    # Empty: the server issued none, and a person signs in again when the access token expires.
    refresh_token: str = field(default="", repr=False)
    # Unix times. Without an expiry only the server's refusal tells.
    obtained_at: float
    expires_at: float | None = None
    scope: str = ""
    # The resource they were requested for (RFC 8707): the server's URL, or one that contains it.
    resource: str
    token_endpoint: str
    revocation_endpoint: str = ""
    client: ClientRegistration


def dump_tokens(value: Any) -> str:
    """Serialize a value of this package."""
    return json.dumps(asdict(value))


def load_tokens(kind: type[_Kind], text: str) -> _Kind:
    """Read what `dump_tokens` wrote, or raise `StorageError`."""
    try:
        return _reader(kind).validate_json(text)
    except ValidationError:
        # Without the values, which are secrets.
        raise StorageError(
            "What was stored of a sign-in was written by another version. Sign in again."
        ) from None


@cache
def _reader(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
