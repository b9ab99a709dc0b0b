"""Protection against requests that another web site makes a signed-in browser send.

The browser sends the cookie with them, so a request that changes something also needs a token that
only our own pages can read, and an `Origin` that is ours. Either alone would suffice; both together
survive a mistake in one.
"""

import hmac
from collections.abc import Collection
from urllib.parse import urlsplit

from dataagent_core.errors import DeniedError
from dataagent_core.secrets import Keyring
from dataagent_server.identity.auth.presented_credentials import PresentedCredentials


def csrf_token(keyring: Keyring, login_id: str) -> str:
    """Make the token of one log-in; it is not stored, but bound to the log-in by HMAC."""
    return keyring.hashes("csrf", login_id)[0]


class CsrfGuard:
    """Checks requests against our own origins."""

    def __init__(
        self, keyring: Keyring, *, public_url: str | None, cors_origins: Collection[str] = ()
    ) -> None:
        self._keyring = keyring
        origins = (*cors_origins, public_url) if public_url else tuple(cors_origins)
        self._origins = frozenset(filter(None, map(_parse_origin, origins)))

    def check(self, presented: PresentedCredentials, login_id: str) -> None:
        """Refuse an unsafe cookie request that did not come from our own pages."""
        if not presented.unsafe:
            return
        self.check_origin(presented)
        given = (presented.csrf_token or "").encode()
        expected = self._keyring.hashes("csrf", login_id)
        if not any(hmac.compare_digest(given, token.encode()) for token in expected):
            raise DeniedError(
                "A request signed in by cookie needs the header X-CSRF-Token with the token that "
                "GET /api/v1/auth/me returns."
            )

    def check_origin(self, presented: PresentedCredentials) -> None:
        """Refuse a request from a page of another or an unknown origin."""
        origin = _parse_origin(presented.origin)
        if origin is None or origin not in self._origins | {_parse_origin(presented.own_origin)}:
            raise DeniedError(
                f"The Origin {str(presented.origin)[:200]!r} is not this server's. Add it to "
                "DATAAGENT_CORS_ORIGINS, or set DATAAGENT_PUBLIC_URL to the address people use."
            )


def _parse_origin(url: str | None) -> str | None:
    """Return the normalized scheme, host and port; None for what is not an http origin."""
    try:
        parts = urlsplit(url or "")
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    if parts.hostname is None or port is None or parts.scheme not in ("http", "https"):
        return None
    return f"{parts.scheme}://{parts.hostname.rstrip('.')}:{port}"
