"""Decides which URLs a sign-in may use, and where a secret may be sent. Pure.

Whether a name resolves to an address of our own network is decided by the HTTP client that dials.
"""

import ipaddress
from urllib.parse import SplitResult, urlsplit

from dataagent_core.config.limits.mcp import MCP_AUTH_URL_CHARS_MAX
from dataagent_core.errors import MCPServerError

_PORTS = {"https": 443, "http": 80}


def is_loopback(url: str) -> bool:
    """Return whether a URL names this machine."""
    parts = _split(url)
    return parts is not None and _names_this_machine(parts.hostname or "")


def origin(url: str) -> tuple[str, str, int | None] | None:
    """Return normalized scheme, host and port; None if it is no web address."""
    parts = _split(url)
    if parts is None or parts.scheme not in _PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme]


def may_carry_secrets(url: str, *, near: str) -> bool:
    """Return whether codes, tokens and people may be sent to a URL.

    Only https, and plain http to this machine if the MCP server is on it too (`near`): a remote
    server must not send us to a local port.
    """
    parts = _split(url)
    if parts is None or len(url) > MCP_AUTH_URL_CHARS_MAX or not url.isprintable() or " " in url:
        return False
    if not parts.hostname or parts.username or parts.password or parts.fragment:
        return False
    if _names_this_machine(parts.hostname):
        return parts.scheme in _PORTS and is_loopback(near)
    return parts.scheme == "https"


def check_address(url: str, what: str, *, server: str, near: str) -> str:
    """Return the URL if secrets may be sent there, or raise an error that names the server."""
    if may_carry_secrets(url, near=near):
        return url
    shown = url if len(url) <= MCP_AUTH_URL_CHARS_MAX else f"{url[:100]}..."
    raise MCPServerError(
        server,
        f"names {shown!r} as its {what}, which is no https address a sign-in may use. "
        "Ask whoever runs the server, or set the right one under `oauth` in its configuration.",
    )


def _names_this_machine(host: str) -> bool:
    host = host.rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        # Reading the port checks it.
        return parts if parts.port is None or parts.port else None
    except ValueError:
        return None
