"""The options a person started a conversation with. Pure."""

from dataclasses import dataclass
from pathlib import Path

from dataagent_cli.remote.address import RemoteServer
from dataagent_core.events.system import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRequest:
    """A conversation to start or to resume; without a session it is a new one."""

    workspace: Path
    session_id: str | None = None
    # The last session of this directory.
    last: bool = False
    # The person chooses the session from a list.
    choose: bool = False
    # A session named for resuming must exist; another name makes a new session.
    must_exist: bool = False
    model: str | None = None
    mode: Mode | None = None
    # Where commands run and files are; the settings decide if it is unset.
    sandbox_type: str | None = None
    sandbox_id: str | None = None
    unsafe_host_shell: bool = False
    # Keep the model or the workspace of the session's last run.
    keeps_model: bool = True
    keeps_workspace: bool = True
    # Approve everything the agent asks, except what only a person may answer.
    approve_all: bool = False
    # Whether the person may be asked about MCP servers of the project.
    may_ask: bool = True
    # Whether somebody is at the terminal all the time, who can be asked about a work plan.
    person_is_there: bool = False
    # Whether sub-agents may work in the background: the process stays for the next message.
    background_tasks: bool = False
    # Seconds a run may take; the settings decide if it is unset.
    timeout_s: float | None = None
    # The server on which the agent works, if not in this process.
    server: RemoteServer | None = None
    # A first message that stands in the input for the person to send.
    begun: str = ""
    # A first message that is sent immediately.
    first_message: str = ""

    @property
    def takes_up(self) -> bool:
        """Say whether it may be about a session that exists, which has its own workspace."""
        return self.last or self.session_id is not None
