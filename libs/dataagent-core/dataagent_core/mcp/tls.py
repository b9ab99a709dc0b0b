"""The certificates that MCP servers are checked against, read once for all clients.

Reading them takes longer than a request; a client of its own reads them anew each time.
"""

import os
import ssl
from functools import lru_cache

import httpx2

# How an operator names the authority of their own network.
_NAMED_BY = ("SSL_CERT_FILE", "SSL_CERT_DIR")


def trusted_certificates(*, trust_env: bool = True) -> ssl.SSLContext:
    """Give the context to connect with, as `httpx2` would make it for the environment of now."""
    named = tuple(os.environ.get(name) for name in _NAMED_BY) if trust_env else ()
    return _context(named, trust_env)


@lru_cache(maxsize=8)
def _context(_named: tuple[str | None, ...], trust_env: bool) -> ssl.SSLContext:  # noqa: FBT001
    return httpx2.create_ssl_context(trust_env=trust_env)
