"""Read the head of a request to the proxy: `CONNECT host:port` or `GET http://host/path`."""

from dataclasses import dataclass
from urllib.parse import urlsplit

_HEAD_WORDS = 3
_HOP_HEADERS = frozenset({"proxy-connection", "proxy-authorization", "connection", "keep-alive"})


class BadRequestError(Exception):
    """The head cannot be read as a request to a proxy."""


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """Where a client wants to go, and what is sent there first (nothing for a tunnel)."""

    host: str
    port: int
    forward: bytes

    @property
    def is_tunnel(self) -> bool:
        """Say whether bytes are passed on without a look at them."""
        return not self.forward


def parse_request(head: bytes) -> ProxyRequest:
    """Read a request; a plain one is rewritten for its server, for one exchange."""
    try:
        first, *headers = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        words = first.split(" ")
        if len(words) != _HEAD_WORDS:
            raise BadRequestError(first)
        method, target, _ = words
        if method == "CONNECT":
            parts = urlsplit(f"//{target}")
            return ProxyRequest(_host(parts.hostname), parts.port or 443, b"")
        url = urlsplit(target)
        if url.scheme != "http":
            raise BadRequestError(target)
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        kept = [
            line
            for line in headers
            if line.partition(":")[0].strip().casefold() not in _HOP_HEADERS | {"host"}
        ]
        lines = [f"{method} {path} HTTP/1.1", f"Host: {url.netloc}", *kept, "Connection: close"]
        forward = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
        return ProxyRequest(_host(url.hostname), url.port or 80, forward)
    except ValueError as error:
        raise BadRequestError(str(error)) from error


def _host(name: str | None) -> str:
    if not name:
        raise BadRequestError("no host")
    return name
