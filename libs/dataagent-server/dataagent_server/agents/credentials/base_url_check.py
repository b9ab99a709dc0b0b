"""Where a tenant's model may be: on the public internet, or where the operator allows it.

An address that a tenant chooses must not lead into the operator's network. Hosts in
`web_allow_hosts` are allowed, except for link-local and metadata addresses. The address is checked
when it is stored, when a run begins, and by `model_guard.py` at every connection.
"""

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network

import httpcore

from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.network.addresses import Address, explain_refused_address
from dataagent_core.tools.web.urls import format_url, parse_url, read_host, read_port
from dataagent_core.tools.web.web_policy import WebPolicy
from dataagent_core.tools.web.web_transport import Resolver, resolve_by_system

_NEVER = tuple(
    ip_network(text)
    for text in ("169.254.0.0/16", "168.63.129.16/32", "100.100.100.200/32", "192.0.0.192/32",
                 "fe80::/10", "fd00:ec2::254/128")
)  # fmt: skip


class BaseUrlCheck:
    """Resolves the host of an address and decides."""

    def __init__(self, policy: WebPolicy, resolver: Resolver = resolve_by_system) -> None:
        self._policy = policy
        self._resolver = resolver

    async def check(self, text: str) -> str:
        """Return the normalized address, or raise with the reason why a model cannot be there."""
        url = parse_url(text)
        host, port = read_host(url), read_port(url)
        vouched = (host, port) in self._policy.vouched
        if url.scheme != "https" and not vouched:
            raise ValidationError(
                f"{format_url(url)[:200]!r} is not https, so the key would cross the "
                "network in the "
                f"clear. {_allow_hint(host, port)}"
            )
        try:
            addresses = await self._resolver(host, port)
        except httpcore.ConnectError as error:
            raise ValidationError(f"{host!r} cannot be found: {error}.") from None
        if reason := why_not(addresses, vouched=vouched):
            raise ValidationError(f"{host!r} {reason}. {_allow_hint(host, port)}")
        return format_url(url).rstrip("/")


def why_not(addresses: Sequence[Address], *, vouched: bool) -> str | None:
    """Return why a model cannot be at a host with these addresses; all of them must be allowed."""
    if not addresses:
        return "has no address"
    for address in addresses:
        plain = _unmap(address)
        if any(plain in network for network in _NEVER if network.version == plain.version):
            return f"leads to {address}, a link-local or metadata address"
        reason = explain_refused_address(address)
        if reason is not None and not vouched:
            return f"leads to {address} ({reason})"
    return None


def _unmap(address: Address) -> Address:
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return ip_address(mapped) if mapped is not None else address


def _allow_hint(host: str, port: int) -> str:
    return f"The operator can add '{host}:{port}' to web_allow_hosts in config.toml."
