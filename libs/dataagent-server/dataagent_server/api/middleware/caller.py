"""The credentials and the address of a request, read from its headers before authentication."""

import hashlib

from starlette.requests import HTTPConnection

from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.identity.auth.cookies import cookie_name, is_secure
from dataagent_server.identity.auth.presented_credentials import (
    PresentedCredentials,
    read_presented,
)


def read_credentials(connection: HTTPConnection, public_url: str | None) -> PresentedCredentials:
    """Read the credentials that a request presents."""
    scheme = connection.url.scheme
    return read_presented(
        connection.headers.items(),
        connection.cookies,
        cookie_name=cookie_name(secure=is_secure(scheme, public_url)),
        method=connection.scope.get("method", "GET"),
        scheme=scheme,
    )


def identify_credential(connection: HTTPConnection, public_url: str | None) -> str | None:
    """Return a hash that identifies a request's credential; None without one.

    It is read as authentication reads it, so that another spelling, or a foreign cookie next to
    ours, does not make another caller.
    """
    try:
        presented = read_credentials(connection, public_url)
    except UnauthenticatedError:
        return None
    shown = presented.api_key or presented.cookie
    if shown is None:
        return None
    digest = hashlib.blake2b(shown.encode("utf-8", "surrogatepass"), digest_size=16)
    return f"credential:{digest.hexdigest()}"


def caller_address(connection: HTTPConnection) -> str:
    """Return the client address of a request."""
    return f"address:{connection.client.host if connection.client else ''}"
