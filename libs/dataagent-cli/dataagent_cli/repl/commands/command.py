"""What a slash command is, and what it can do with the shell it is typed into."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from rich.console import RenderableType

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.port import AttachedText, Conversation
from dataagent_cli.conversation.workbench import Workbench
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.wiring import App


class Shell(Protocol):
    """What a command works with: the inline shell, or the plain one of dumb terminals."""

    @property
    def app(self) -> App: ...

    @property
    def conversation(self) -> Conversation: ...

    @property
    def workbench(self) -> Workbench: ...

    @property
    def output(self) -> Output:
        """Where lines go: above the prompt."""
        ...

    @property
    def commands(self) -> "dict[str, Command]": ...

    def show(self, *renderables: RenderableType) -> None:
        """Print something for good, above the prompt."""
        ...

    def clear(self) -> None:
        """Clear the screen; what was said stays in the session."""
        ...

    def unfold(self, number: int | None) -> None:
        """Print in full what was shown in short: by its number, or the last."""
        ...

    def leave(self) -> None: ...

    @property
    def order(self) -> ConversationRequest:
        """What the person ordered when this conversation began."""
        ...

    @property
    def active(self) -> bool:
        """Whether the agent is at work."""
        ...

    def turn_to(self, order: ConversationRequest) -> None:
        """Leave this conversation for another one."""
        ...

    def borrow(self) -> AbstractAsyncContextManager[None]:
        """Have the plain terminal for as long as this is entered."""
        ...

    def lend(self) -> AbstractAsyncContextManager[None]:
        """Have it for a program, which may leave lines unread that the person typed."""
        ...

    async def pick(self, title: str, rows: Sequence[str]) -> int | None:
        """Let the person choose a row; nothing when they do not want to."""
        ...

    async def send(self, text: str, others: AttachedText | None = None) -> None:
        """Send a text as a message, whatever it begins with; others' words go below it."""
        ...

    async def ask(self, label: str) -> str | None:
        """Ask for one line; nothing when the person does not want to."""
        ...

    async def submit(self, text: str) -> None:
        """Do with a text what would be done had the person typed it."""
        ...


Run = Callable[[Shell, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Command:
    """One slash command; `summary_key` names its sentence in the catalogue.

    A person's own command is not in the catalogue: it brings its sentence along.
    """

    name: str
    summary_key: str
    run: Run
    # Whether it waits until the engine is loaded; what imports anything of it has to.
    waits: bool = True
    # What may be typed after it, for people.
    arguments: str = ""
    summary: str = ""

    def about(self, say: Messages) -> str:
        """Say what it does."""
        return self.summary or say(self.summary_key)
