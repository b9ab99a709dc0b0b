"""The address of a database server and its timeouts, sent in the request `open`."""

from collections.abc import Mapping
from dataclasses import dataclass, field


def _make_empty() -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """A checked address (`sources/server_url.py` makes it); the password is never shown."""

    host: str
    port: int
    # The address to dial if the host was resolved already; TLS still checks the host.
    dialled: str = ""
    user: str
    password: str = field(default="", repr=False)
    database: str = ""
    # Only allowed options: mostly about TLS.
    options: Mapping[str, str] = field(default_factory=_make_empty)
    # The name of our connections at the server, by which another connection can end them.
    token: str = ""
    connect_s: int = 10

    @property
    def where(self) -> str:
        """The server's name for a person."""
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementTimeouts:
    """The time limits of a statement, and of waiting for a lock."""

    statement_s: float
    lock_max_s: float = 5.0

    @property
    def lock_s(self) -> float:
        """The lock timeout, shorter than the statement's, so that the error names the lock."""
        return min(self.lock_max_s, self.statement_s / 2)
