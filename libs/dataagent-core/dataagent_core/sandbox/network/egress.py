"""Which hosts a command with network access may reach: a pure decision."""

from collections.abc import Callable
from dataclasses import dataclass, field

from dataagent_core.sandbox.network.addresses import Address, explain_refused_address

_PORTS = frozenset({80, 443})


@dataclass(frozen=True, slots=True)
class EgressPolicy:
    """Host names (`pypi.org`, `*.pythonhosted.org`), ports, and which addresses they may have.

    `why_refused` is asked for every resolved address; it keeps a listed name from pointing into
    the host's own network. A host that is listed with its port (`127.0.0.1:8080`) was meant as it
    is: that port, at whatever address.
    """

    hosts: tuple[str, ...] = ()
    ports: frozenset[int] = _PORTS
    why_refused: Callable[[Address], str | None] = field(default=explain_refused_address)

    def explain_refusal(self, host: str, port: int) -> str | None:
        """Say why a target is refused, or None."""
        if self._is_listed_with_port(host, port):
            return None
        if port not in self.ports:
            return f"port {port} is not allowed"
        if not any(_matches(host, pattern) for pattern in self.hosts):
            return f"host {host!r} is not on the list of allowed hosts"
        return None

    def explain_address_refusal(self, host: str, port: int, address: Address) -> str | None:
        """Say why an address of an allowed target is refused, or None."""
        return None if self._is_listed_with_port(host, port) else self.why_refused(address)

    def _is_listed_with_port(self, host: str, port: int) -> bool:
        return f"{host.rstrip('.').casefold()}:{port}" in self.hosts


def _matches(host: str, pattern: str) -> bool:
    host, pattern = host.rstrip(".").casefold(), pattern.casefold()
    if pattern.startswith("*."):
        return host.endswith(pattern[1:])
    return host == pattern
