"""Which hosts a command may reach when it is given the way out: a pure decision."""

from collections.abc import Callable
from dataclasses import dataclass, field

_PORTS = frozenset({80, 443})


def _nowhere(_address: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Egress:
    """Host names (`pypi.org`, `*.pythonhosted.org`), ports, and which addresses they may have.

    `address_allowed` is asked for every resolved address; it keeps a listed name from pointing
    into the host's own network.
    """

    hosts: tuple[str, ...] = ()
    ports: frozenset[int] = _PORTS
    address_allowed: Callable[[str], bool] = field(default=_nowhere)

    def refusal(self, host: str, port: int) -> str | None:
        """Say why a target is refused, or None."""
        if port not in self.ports:
            return f"port {port} is not allowed"
        if not any(_matches(host, pattern) for pattern in self.hosts):
            return f"host {host!r} is not on the list of allowed hosts"
        return None


def _matches(host: str, pattern: str) -> bool:
    host, pattern = host.rstrip(".").casefold(), pattern.casefold()
    if pattern.startswith("*."):
        return host.endswith(pattern[1:])
    return host == pattern
