"""A slash command, and the shell it works with."""

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
    """The shell of a command: inline, or plain for dumb terminals."""

    @property
    def app(self) -> App: ...

    @property
    def conversation(self) -> Conversation: ...

    @property
    def workbench(self) -> Workbench: ...

    @property
    def output(self) -> Output:
        """Prints lines above the prompt."""
        ...

    @property
    def commands(self) -> "dict[str, Command]": ...

    def show(self, *renderables: RenderableType) -> None:
        """Print something above the prompt."""
        ...

    def clear(self) -> None:
        """Clear the screen; the session keeps its messages."""
        ...

    def unfold(self, number: int | None) -> None:
        """Print a shortened item in full: by its number, or the last."""
        ...

    def leave(self) -> None: ...

    @property
    def request(self) -> ConversationRequest:
        """The request this conversation was started with."""
        ...

    @property
    def active(self) -> bool:
        """Whether a run is active."""
        ...

    def turn_to(self, request: ConversationRequest) -> None:
        """Leave this conversation for another one."""
        ...

    def borrow(self) -> AbstractAsyncContextManager[None]:
        """Use the plain terminal while this is entered."""
        ...

    def lend(self) -> AbstractAsyncContextManager[None]:
        """Let a program use the terminal; lines it leaves unread are typed into the prompt."""
        ...

    async def pick(self, title: str, rows: Sequence[str]) -> int | None:
        """Let the person choose a row; None if they choose nothing."""
        ...

    async def send(self, text: str, others: AttachedText | None = None) -> None:
        """Send a text as a message, whatever it begins with; `others` is attached below it."""
        ...

    async def ask(self, label: str) -> str | None:
        """Ask for one line; None if the person leaves."""
        ...

    async def submit(self, text: str) -> None:
        """Handle a text as if the person had typed it."""
        ...


Run = Callable[[Shell, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Command:
    """One slash command; `summary_key` names its sentence in the catalogue.

    A person's own command is not in the catalogue: it has its own `summary`.
    """

    name: str
    summary_key: str
    run: Run
    # Whether it waits until the engine is loaded; required if it imports any of it.
    waits: bool = True
    # The arguments, as text for people.
    arguments: str = ""
    summary: str = ""
    # What its arguments may begin with, to complete them.
    words: tuple[str, ...] = ()

    def about(self, say: Messages) -> str:
        """Return what it does."""
        return self.summary or say(self.summary_key)
