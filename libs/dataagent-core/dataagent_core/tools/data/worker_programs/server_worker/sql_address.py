"""Where a database server is and how long it may take; sent in the question `open`."""

from collections.abc import Mapping
from dataclasses import dataclass, field


def _no_options() -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """A checked address (`sources/server_url.py` makes it); the password is never shown."""

    host: str
    port: int
    # The address to dial where somebody looked the host up already; TLS still checks the host.
    dialled: str = ""
    user: str
    password: str = field(default="", repr=False)
    database: str = ""
    # Only names that were allowed: how TLS is used, mostly.
    options: Mapping[str, str] = field(default_factory=_no_options)
    # By which name the server lists our connections, so that another one can end them.
    token: str = ""
    connect_s: int = 10

    @property
    def where(self) -> str:
        """Name the server for a person."""
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementTimeouts:
    """How long a statement may run, and wait for somebody else's lock."""

    statement_s: float
    lock_max_s: float = 5.0

    @property
    def lock_s(self) -> float:
        """Give up on a lock before the statement's time is up, so that the reason is known."""
        return min(self.lock_max_s, self.statement_s / 2)
