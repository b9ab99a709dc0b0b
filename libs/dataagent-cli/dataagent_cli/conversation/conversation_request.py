"""What the person ordered when they started a conversation. Pure."""

from dataclasses import dataclass
from pathlib import Path

from dataagent_cli.remote.address import RemoteServer
from dataagent_core.events.system import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRequest:
    """A conversation to begin or to take up; without a session it is a new one."""

    workspace: Path
    session_id: str | None = None
    # The last session of this directory, whichever it is.
    last: bool = False
    # One the person is yet to choose from a list.
    choose: bool = False
    # A session that was named to be resumed has to be there; another name makes a new one.
    must_exist: bool = False
    model: str | None = None
    mode: Mode | None = None
    # Where commands run and files are; as the settings say when unset.
    sandbox_type: str | None = None
    sandbox_id: str | None = None
    unsafe_host_shell: bool = False
    # What the session's last run had and this one goes on with.
    keeps_model: bool = True
    keeps_workspace: bool = True
    # Everything the agent asks is approved, except what only a person may answer.
    approve_all: bool = False
    # Whether the person may be asked about MCP servers that the project brings.
    may_ask: bool = True
    # Seconds a run may take; as the settings say when unset.
    timeout_s: float | None = None
    # Where the agent works, if not in this process.
    server: RemoteServer | None = None
    # A first message that is written already; the person sends it.
    begun: str = ""
    # A first message that is sent at once.
    asked: str = ""

    @property
    def takes_up(self) -> bool:
        """Say whether it may be about a session that exists: that knows its own place."""
        return self.last or self.session_id is not None
