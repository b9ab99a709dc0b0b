"""What a sign-in leaves behind: tokens, and the client they were given to.

Both know everything a renewal needs, so that one discovers nothing and works while the MCP server
itself is down. They are written as JSON, for a store to encrypt.
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
    """Who we are to one authorization server."""

    client_id: str
    client_secret: str = field(default="", repr=False)
    auth_method: ClientAuthMethod = "none"
    # The server that knows this client; it is never shown to another.
    issuer: str
    redirect_uris: tuple[str, ...] = ()
    secret_expires_at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthTokens:
    """What one person may use at one resource, and how it is renewed and revoked."""

    access_token: str = field(repr=False)
    # Empty: the server gave none, and a person signs in again when the access token ends.
    refresh_token: str = field(default="", repr=False)
    # Unix times. Without an end the server's refusal is what says it.
    obtained_at: float
    expires_at: float | None = None
    scope: str = ""
    # What they were asked for (RFC 8707): the server's URL, or one that contains it.
    resource: str
    token_endpoint: str
    revocation_endpoint: str = ""
    client: ClientRegistration


def dump_tokens(value: Any) -> str:
    """Write a value of this package down."""
    return json.dumps(asdict(value))


def load_tokens(kind: type[_Kind], text: str) -> _Kind:
    """Read what `written` wrote; what is not that is a `StorageError`."""
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
