"""Parses and checks the address of a server: where a key may be sent. Pure."""

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from dataagent_cli.messages import Messages
from dataagent_cli.remote.limits import URL_CHARS_MAX
from dataagent_core.errors import ValidationError

_PORT_MAX = 65_535


@dataclass(frozen=True, slots=True)
class RemoteServer:
    """A server and the person's key for it, if it needs one."""

    url: str
    key: str | None = field(default=None, repr=False)

    @property
    def on_this_machine(self) -> bool:
        return is_loopback(urlsplit(self.url).hostname or "")


def parse_url(text: str, say: Messages, *, insecure: bool) -> str:
    """Return an address in its stored form, or raise what is wrong with it.

    A key is sent without TLS only to this machine, or if the person asked for it.
    """
    given = text.strip()
    if not given or len(given) > URL_CHARS_MAX or not given.isprintable() or " " in given:
        raise ValidationError(say("remote_bad_url", url=given[:URL_CHARS_MAX]))
    try:
        parts = urlsplit(given if "://" in given else f"{_default_scheme(given)}://{given}")
        host, port = parts.hostname or "", parts.port
    except ValueError:  # a port that is not a number, a bracket that is not closed
        raise ValidationError(say("remote_bad_url", url=given)) from None
    if parts.scheme not in {"http", "https"} or not host or port == 0:
        raise ValidationError(say("remote_bad_url", url=given))
    if parts.username is not None or parts.query or parts.fragment:
        raise ValidationError(say("remote_bare_url"))
    if parts.scheme == "http" and not (insecure or is_loopback(host)):
        raise ValidationError(say("remote_needs_https", host=host))
    shown = f"[{host}]" if ":" in host else host
    at = f":{port}" if port is not None and port <= _PORT_MAX else ""
    return f"{parts.scheme}://{shown}{at}{parts.path.rstrip('/')}"


def socket_url(url: str) -> str:
    """Return an address for a WebSocket."""
    return f"ws{url.removeprefix('http')}"


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _default_scheme(given: str) -> str:
    host = given.partition("/")[0].rpartition(":")[0] or given.partition("/")[0]
    return "http" if is_loopback(host.strip("[]")) else "https"
