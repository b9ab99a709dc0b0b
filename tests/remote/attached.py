"""A conversation with a server as a terminal holds it, and all its events."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.remote import RemoteConversation, first_remote_facts
from dataagent_cli.conversation.remote_workbench import RemoteWorkbench
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.remote.address import RemoteServer
from dataagent_cli.remote.client import ServerClient
from dataagent_cli.remote.files import RemoteFiles
from dataagent_cli.wiring import App
from dataagent_core.config import Settings
from dataagent_core.events import DoneEvent, Event, HITLRequestEvent, TextEvent

WAIT_S_MAX = 60
E = TypeVar("E")


class Attached:
    """Watches a conversation as a terminal does; `seen` holds every event in order."""

    def __init__(self, url: str, key: str | None, request: dict[str, Any]) -> None:
        say = Messages("en")
        server = RemoteServer(url, key)
        self.request = ConversationRequest(workspace=Path.cwd(), server=server, **request)
        self.link = ServerClient(server, say)
        self.files = RemoteFiles(self.link, pictures=True)
        self.notes: list[str] = []
        self.connection_changes: list[bool] = []
        facts = first_remote_facts(self.request, server, say)
        self.conversation = RemoteConversation(
            self.link, self.request, facts, self.files, say=say, terminal=self
        )
        app = App(Settings(), say, Output.of_process())
        self.workbench = RemoteWorkbench(app, self.link, self.conversation, self.files, self)
        self.seen: list[Event] = []
        self._more = asyncio.Event()
        self._watching = asyncio.create_task(self._watch())

    @property
    def session_id(self) -> str:
        return self.conversation.facts.session_id

    def note(self, text: str) -> None:
        self.notes.append(text)

    def set_connected(self, connected: bool) -> None:
        self.connection_changes.append(connected)
        self._more.set()

    @asynccontextmanager
    async def borrow(self) -> AsyncGenerator[None]:
        yield

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        async with asyncio.timeout(WAIT_S_MAX):
            while not condition():
                if self._watching.done():
                    self._watching.result()
                self._more.clear()
                await asyncio.wait(
                    {self._watching, asyncio.ensure_future(self._more.wait())},
                    return_when=asyncio.FIRST_COMPLETED,
                )

    async def until_done(self, runs: int = 1) -> None:
        await self.until(lambda: len(self.of(DoneEvent)) >= runs)

    async def until_asked(self) -> HITLRequestEvent:
        await self.until(lambda: self.of(HITLRequestEvent))
        return self.of(HITLRequestEvent)[-1]

    async def until_told(self, pieces: int) -> None:
        await self.until(lambda: len(self.of(TextEvent)) >= pieces)

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.seen if isinstance(event, kind)]

    @property
    def done(self) -> DoneEvent:
        return self.of(DoneEvent)[-1]

    async def aclose(self) -> None:
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        await self.conversation.aclose()

    async def _watch(self) -> None:
        await self.conversation.go_on()
        after = await self.conversation.tail(3)
        async with aclosing(self.conversation.events(after)) as events:
            async for event in events:
                self.seen.append(event)
                self._more.set()


@asynccontextmanager
async def attached(url: str, key: str | None, **request: Any) -> AsyncGenerator[Attached]:
    async with aclosing(Attached(url, key, request)) as made:
        yield made


def as_wire(events: list[Event]) -> list[dict[str, Any]]:
    """Write events as the log has them, without the id, which the wire does not carry."""
    return [{k: v for k, v in e.to_dict().items() if k != "event_id"} for e in events]


def without_ids(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{k: v for k, v in event.items() if k != "event_id"} for event in log]
