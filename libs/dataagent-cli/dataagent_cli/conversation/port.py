"""The port of a conversation: in this process (`local/`) or on a server (`remote.py`).

A terminal reads events and nothing else; every action of the person is a method. So the same
terminal serves both, and a run looks the same live and when it is read again.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from dataagent_cli.conversation.record import SessionRecord
from dataagent_core.events.system import Mode

if TYPE_CHECKING:
    from dataagent_core.events import Event, HITLRequestEvent
    from dataagent_core.hitl import Decision
    from dataagent_core.planning import PlanEdit, WorkPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFacts:
    """What the status line shows of a conversation besides its events."""

    session_id: str
    title: str
    model: str
    mode: Mode
    # The agent's directory, on this machine or on the server.
    workspace: str
    # The sandbox of commands: "bwrap", "host" (no sandbox), "vendor" (a vendor's machine), "none"
    # (no shell), "server".
    sandbox: str
    # The address of the server, or None in this process.
    server: str | None = None
    # The server does not answer now; what is shown may be out of date.
    away: bool = False


# The source of text that was piped into the program.
STANDARD_INPUT = "standard input"


@dataclass(frozen=True, slots=True)
class AttachedText:
    """Text of others below a person's message, and its source."""

    text: str
    source: str


def message_text(own: str, others: AttachedText | None) -> str:
    """Write a message as it is sent: the text of others below the person's own."""
    return own if others is None else f"{own}\n\n{others.text}"


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """A run that is not over, its open requests, and the log's last number."""

    run_id: str
    requests: "Sequence[HITLRequestEvent]"
    last_seq: int


class Conversation(Protocol):
    """One session and the actions of a person in it. No method waits for the agent."""

    @property
    def facts(self) -> ConversationFacts: ...

    @property
    def record(self) -> SessionRecord: ...

    @property
    def opened_at_seq(self) -> int:
        """The number of the last event when the session was opened."""
        ...

    def events(self, after: int = 0) -> AsyncGenerator["Event", None]:
        """Yield the events after a number, then new ones, until the conversation closes."""
        ...

    async def tail(self, runs: int) -> int:
        """Return the number before the events of the last runs, for `events`."""
        ...

    async def message(self, message_id: str) -> str:
        """Return the text of the message that started a run; its events only have the id."""
        ...

    async def say(
        self,
        text: str,
        others: AttachedText | None = None,
        answer_schema: Mapping[str, Any] | None = None,
        planning: Mapping[str, str] | None = None,
    ) -> None:
        """Send the agent a message; while it works, the message waits.

        Text of others is sent below it and is not taken for the person's own. With a schema, the
        answer is a JSON document that is valid against it. `planning` overrides the assistant's
        `loop` and planning `mode` for this message.
        """
        ...

    async def answer(self, interrupt_id: str, decision: "Decision") -> None:
        """Answer a request; one that was answered elsewhere is a `ConflictError`."""
        ...

    async def unfinished(self) -> UnfinishedRun | None:
        """Return the run of the session that is not over."""
        ...

    async def go_on(self) -> bool:
        """Resume the session's unfinished run, if it has one."""
        ...

    async def stop(self) -> None:
        """Stop the current run and drop waiting messages; what was done is kept."""
        ...

    async def change_mode(self, mode: Mode) -> None: ...

    async def plan(self) -> "WorkPlan | None":
        """Return the session's newest work plan."""
        ...

    async def edit_plan(self, edits: "Sequence[PlanEdit]", version: int) -> "WorkPlan":
        """Change steps that have not begun, also while the agent works, and return the plan.

        If `version` is not the plan's any more, it is a `PlanChangedError`, and nothing is changed.
        """
        ...

    async def change_model(self, model: str) -> None:
        """Use another model from the next message on; refuse one that cannot be used."""
        ...

    async def compact(self, keep: str) -> None:
        """Shorten the history that the model sees, in a run of its own."""
        ...

    async def renew(self) -> None:
        """Build the agent again: changed MCP servers apply from the next message on."""
        ...

    async def rest(self) -> bool:
        """Answer no more requests here; return whether `events` ends once the run rests.

        A run rests when it is over or waits for an answer. A run on a server continues without us.
        """
        ...

    async def aclose(self) -> None: ...
