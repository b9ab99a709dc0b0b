"""Recently verified principals, so that not every request reads the database.

Short-lived, which bounds how long another process may accept a revoked key. In this process
`forget_all` makes a change count at once, also for a request that read the database before the
change and would store its result after it: it holds an older generation.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from dataagent_server.identity.auth.limits import PRINCIPAL_CACHED_S, PRINCIPALS_CACHED_MAX
from dataagent_server.identity.auth.principal import Principal


@dataclass(frozen=True, slots=True)
class _Entry:
    principal: Principal
    until: float


class PrincipalCache:
    """Bounded, oldest out first; `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._generation = 0

    @property
    def generation(self) -> int:
        """Read it before reading the database; pass it to `put`."""
        return self._generation

    def get(self, token_hash: str) -> Principal | None:
        entry = self._entries.get(token_hash)
        if entry is None:
            return None
        if entry.until <= self._clock():
            del self._entries[token_hash]
            return None
        return entry.principal

    def put(self, token_hash: str, principal: Principal, generation: int) -> None:
        """Store a principal, unless something changed since it was read."""
        if generation != self._generation:
            return
        self._entries[token_hash] = _Entry(principal, self._clock() + PRINCIPAL_CACHED_S)
        self._entries.move_to_end(token_hash)
        while len(self._entries) > PRINCIPALS_CACHED_MAX:
            self._entries.popitem(last=False)

    def forget_all(self) -> None:
        """Clear the cache; call it after every change of anyone's rights."""
        self._generation += 1
        self._entries.clear()
