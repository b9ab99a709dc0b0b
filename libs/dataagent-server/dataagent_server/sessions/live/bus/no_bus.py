"""The bus of a process that tells nobody: others look into the database (`poll.py`)."""

from dataagent_server.sessions.live.bus.port import Hear
from dataagent_server.sessions.live.notice import Notice


class NoBus:
    """Nobody to tell."""

    connected = False

    def tell(self, notice: Notice) -> None:
        del notice

    async def start(self, hear: Hear) -> None:
        del hear

    async def aclose(self) -> None:
        pass
