"""The certificates that MCP servers are checked against, read once for all clients.

Reading them takes longer than a request, and each client would read them again.
"""

import os
import ssl
from functools import lru_cache

import httpx2

# Variables that name the certificate authority of an operator's network.
_NAMED_BY = ("SSL_CERT_FILE", "SSL_CERT_DIR")


def trusted_certificates(*, trust_env: bool = True) -> ssl.SSLContext:
    """Return the context that `httpx2` would make for the current environment."""
    named = tuple(os.environ.get(name) for name in _NAMED_BY) if trust_env else ()
    return _context(named, trust_env)


@lru_cache(maxsize=8)
def _context(_named: tuple[str | None, ...], trust_env: bool) -> ssl.SSLContext:  # noqa: FBT001
    return httpx2.create_ssl_context(trust_env=trust_env)
