"""A conversation in this process without a terminal, and its events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.factory import first_facts
from dataagent_cli.conversation.local.conversation import LocalConversation
from dataagent_cli.conversation.local.parts import open_parts
from dataagent_cli.wiring import start
from dataagent_core.events import Event

WAIT_S_MAX = 120


class SilentTerminal:
    """A terminal without a person: everything is allowed, nothing is shown."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    @asynccontextmanager
    async def borrow(self) -> AsyncGenerator[None]:
        yield

    def note(self, text: str) -> None:
        """Keep it."""
        self.notes.append(text)

    async def may_work_in(self, workspace: Path) -> None:
        """Allow it."""

    def workspace_is_gone(self, workspace: Path, here: Path) -> None:
        """Print nothing."""


@asynccontextmanager
async def open_conversation(
    workspace: Path, terminal: SilentTerminal, **ordered: Any
) -> AsyncGenerator[LocalConversation]:
    """Open a conversation with the settings of this process's environment."""
    app = start()
    request = ConversationRequest(workspace=workspace, **ordered)
    parts = open_parts(app, request, terminal)
    conversation = LocalConversation(parts, first_facts(app, request), request.mode)
    try:
        yield conversation
    finally:
        await conversation.aclose()


async def until(conversation: LocalConversation, kind: type[Event], after: int = 0) -> list[Event]:
    """Read events until one of a kind arrives."""
    seen: list[Event] = []
    async with asyncio.timeout(WAIT_S_MAX), aclosing(conversation.events(after)) as events:
        async for event in events:
            seen.append(event)
            if isinstance(event, kind):
                break
    return seen
