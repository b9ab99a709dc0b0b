"""What a bus is: somewhere to tell notices, and somebody who hears those of others."""

from collections.abc import Callable
from typing import Protocol

from dataagent_server.sessions.live.notice import Notice

Hear = Callable[[Notice], None]


class Bus(Protocol):
    """Carries notices between processes. It may lose some; it never blocks whoever tells."""

    def tell(self, notice: Notice) -> None: ...

    async def start(self, hear: Hear) -> None: ...

    async def aclose(self) -> None: ...

    @property
    def connected(self) -> bool:
        """Return whether notices get through just now."""
        ...
