"""The options of a run, checked before anything is stored or built."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dataagent_cli.approval.rule import ApprovalRule
from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.port import AttachedText
from dataagent_cli.messages import Messages
from dataagent_cli.remote.address import RemoteServer
from dataagent_core.errors import ValidationError
from dataagent_core.events.system import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """One run; without a prompt it resumes the session's unfinished run."""

    prompt: str | None
    session_id: str
    # Whether the prompt was typed on the command line: standard input may be anybody's text.
    is_typed: bool = False
    # The text that was piped in beside the prompt.
    piped: AttachedText | None = None
    # The answer is one JSON document that is valid against this schema.
    answer_schema: Mapping[str, Any] | None = None
    # The person named no session, so its id is printed.
    session_is_new: bool = False
    model: str | None = None
    workspace: Path | None = None
    # The mode to start in; the session's own if unset.
    mode: Mode | None = None
    # The loop and whether a plan is made, for this message; the assistant's own if unset.
    planning: Mapping[str, str] = field(default_factory=dict[str, str])
    approvals: ApprovalRule = field(default_factory=ApprovalRule)
    timeout_s: float | None = None
    as_json: bool = False
    # Where commands run and files are; the settings decide if it is unset.
    sandbox_type: str | None = None
    sandbox_id: str | None = None
    unsafe_host_shell: bool = False
    # The server on which the agent works, if not in this process.
    server: RemoteServer | None = None

    def conversation(self, *, person_is_there: bool) -> ConversationRequest:
        """Make the conversation's request; a resumed run keeps its model and workspace."""
        takes_up = self.prompt is None
        named = self.server is None or not self.session_is_new
        return ConversationRequest(
            workspace=self.workspace or Path.cwd(),
            session_id=self.session_id if named else None,
            must_exist=takes_up,
            model=self.model,
            sandbox_type=self.sandbox_type,
            sandbox_id=self.sandbox_id,
            unsafe_host_shell=self.unsafe_host_shell,
            keeps_model=takes_up,
            keeps_workspace=takes_up and self.workspace is None,
            approve_all=self.approvals.everything,
            may_ask=not self.as_json,
            person_is_there=person_is_there and not self.approvals.everything,
            timeout_s=self.timeout_s,
            server=self.server,
        )


def resolve_workspace(path: Path, say: Messages) -> Path:
    """Return the agent's directory, or raise that it does not exist."""
    if not path.is_dir():
        raise ValidationError(say("no_workspace", path=str(path)))
    return path.resolve()


def check_timeout(seconds: float | None, say: Messages) -> float | None:
    """Refuse numbers that no clock can use, such as infinity."""
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise ValidationError(say("bad_timeout"))
    return seconds
