"""The port of a bus: it sends notices, and passes on those of other processes."""

from collections.abc import Callable
from typing import Protocol

from dataagent_server.sessions.live.notice import Notice

Hear = Callable[[Notice], None]


class Bus(Protocol):
    """Carries notices between processes. It may lose some; it never blocks the sender."""

    def tell(self, notice: Notice) -> None: ...

    async def start(self, hear: Hear) -> None: ...

    async def aclose(self) -> None: ...

    @property
    def connected(self) -> bool:
        """Whether notices are delivered at present."""
        ...
