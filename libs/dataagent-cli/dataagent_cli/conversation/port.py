"""A conversation, whoever does its work: this process (`local/`) or a server (`remote.py`).

Whatever shows it reads events and nothing else; what a person does is one of these calls. So the
same terminal serves both, and a run looks the same while it happens and when it is read again.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from dataagent_cli.conversation.record import SessionRecord
from dataagent_core.events.system import Mode

if TYPE_CHECKING:
    from dataagent_core.events import Event, HITLRequestEvent
    from dataagent_core.hitl import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFacts:
    """What the status line says of a conversation besides what its events tell."""

    session_id: str
    title: str
    model: str
    mode: Mode
    # Where the agent works: a directory of this machine, or of the server.
    workspace: str
    # How commands are held: "bwrap", "host" (no sandbox), "vendor" (on a machine of theirs),
    # "none" (no shell at all), "server".
    sandbox: str
    # The address of the server, or nothing in this process.
    server: str | None = None
    # The server cannot be heard just now; what is shown may be behind.
    away: bool = False


# Whose words they are that were piped into the program.
STANDARD_INPUT = "standard input"


@dataclass(frozen=True, slots=True)
class AttachedText:
    """Text that goes below a person's message and is not theirs, and whose it is."""

    text: str
    source: str


def message_text(own: str, others: AttachedText | None) -> str:
    """Write a message as it is sent: others' words below the person's own."""
    return own if others is None else f"{own}\n\n{others.text}"


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """A run that is not over, what it asks, and how far the log has come."""

    run_id: str
    requests: "Sequence[HITLRequestEvent]"
    last_seq: int


class Conversation(Protocol):
    """One session and what a person can do in it. No method waits for the agent."""

    @property
    def facts(self) -> ConversationFacts: ...

    @property
    def record(self) -> SessionRecord: ...

    @property
    def opened_at_seq(self) -> int:
        """The number of the last event when the session was opened."""
        ...

    def events(self, after: int = 0) -> AsyncGenerator["Event", None]:
        """Give what the log has beyond a number, then what comes, until the conversation closes."""
        ...

    async def tail(self, runs: int) -> int:
        """Give the number after which the events of the last runs come, for `events`."""
        ...

    async def message(self, message_id: str) -> str:
        """Give the words a run began with; its events only name them."""
        ...

    async def say(
        self,
        text: str,
        others: AttachedText | None = None,
        answer_schema: Mapping[str, Any] | None = None,
    ) -> None:
        """Give the agent a message; while it works, the message waits for its turn.

        Others' words stand below it, and are not taken for the person's own. With a schema, the
        answer is a JSON document that is valid against it.
        """
        ...

    async def answer(self, interrupt_id: str, decision: "Decision") -> None:
        """Answer what the run waits for; a question answered elsewhere is a `ConflictError`."""
        ...

    async def unfinished(self) -> UnfinishedRun | None:
        """Say which run of the session is not over."""
        ...

    async def go_on(self) -> bool:
        """Take up the session's unfinished run, if it has one."""
        ...

    async def stop(self) -> None:
        """Stop the run that is under way, and forget what waits; what was done is kept."""
        ...

    async def change_mode(self, mode: Mode) -> None: ...

    async def change_model(self, model: str) -> None:
        """Let another model answer from the next message on; one that cannot be used is refused."""
        ...

    async def compact(self, keep: str) -> None:
        """Show the model a shorter history from now on, in a run of its own."""
        ...

    async def renew(self) -> None:
        """Let what was set meanwhile (rules, MCP servers) count from the next message on."""
        ...

    async def rest(self) -> bool:
        """Answer no question here any more; says whether `events` end once the run rests.

        A run rests when it is over or waits for an answer. One of a server goes on without us.
        """
        ...

    async def aclose(self) -> None: ...
