"""Which hosts, ports and addresses the web tools may reach: pure decisions over the settings.

Anybody's public host on ports 80 and 443; and whatever host and port the operator named, whose
address may then be private.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import httpx

from dataagent_core.config.settings import Settings
from dataagent_core.errors import ConfigurationError, ToolExecutionError, ValidationError
from dataagent_core.sandbox.network.addresses import Address, explain_refused_address
from dataagent_core.tools.web.urls import DEFAULT_PORTS, parse_url, read_host, read_port

_PUBLIC_PORTS = frozenset(DEFAULT_PORTS.values())
_WAY_OUT = "The operator can add {place!r} to web_allow_hosts in config.toml."


@dataclass(frozen=True, slots=True)
class WebPolicy:
    """The host and port pairs the operator vouches for."""

    vouched: frozenset[tuple[str, int]] = field(default_factory=frozenset[tuple[str, int]])

    def check_port(self, url: httpx.URL) -> None:
        """Refuse a port that is neither the web's nor the operator's."""
        host, port = read_host(url), read_port(url)
        if port not in _PUBLIC_PORTS and (host, port) not in self.vouched:
            place = f"{host}:{port}"
            raise ToolExecutionError(
                f"Port {port} of {host} is not reached: only 80 and 443 are. "
                + _WAY_OUT.format(place=place)
            )

    def dialable(self, host: str, port: int, addresses: Sequence[Address]) -> list[Address]:
        """Keep the addresses that may be dialled; having none of them is an error."""
        if (host.lower().rstrip("."), port) in self.vouched:
            return list(addresses)
        reasons = {address: explain_refused_address(address) for address in addresses}
        allowed = [address for address, reason in reasons.items() if reason is None]
        if not allowed:
            met = ", ".join(f"{address} ({reason})" for address, reason in reasons.items())
            raise ToolExecutionError(
                f"{host} is not reached: it leads to {met or 'no address'}. Only addresses of the "
                f"public internet are. {_WAY_OUT.format(place=_format_entry(host, port))}"
            )
        return allowed


def make_web_policy(settings: Settings) -> WebPolicy:
    """Read the operator's hosts; the SearXNG they chose is one of them."""
    vouched = set(_parse_allowed_hosts(settings.web_allow_hosts))
    # A project's `.env` may choose a public SearXNG, but must not open the private network.
    if settings.searxng_url and settings.source_of("searxng_url") != ".env":
        url = parse_url(settings.searxng_url)
        vouched.add((read_host(url), read_port(url)))
    return WebPolicy(frozenset(vouched))


def _parse_allowed_hosts(entries: Iterable[str]) -> Iterable[tuple[str, int]]:
    for entry in entries:
        bare_v6 = entry.count(":") > 1 and not entry.startswith("[")
        try:
            url = parse_url(f"http://[{entry}]" if bare_v6 else f"http://{entry}")
        except ValidationError as error:
            raise _make_host_error(entry) from error
        if url.raw_path != b"/":
            raise _make_host_error(entry)
        # A port that is written counts alone; httpx drops ":80", which is harmless.
        ports = (url.port,) if url.port is not None else tuple(DEFAULT_PORTS.values())
        yield from ((read_host(url), port) for port in ports)


def _make_host_error(entry: str) -> ConfigurationError:
    return ConfigurationError(
        f"web_allow_hosts holds {entry!r}, which is no host: write NAME, NAME:PORT or an address, "
        "as in 'intranet.example:8080'."
    )


def _format_entry(host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    return name if port in _PUBLIC_PORTS else f"{name}:{port}"
