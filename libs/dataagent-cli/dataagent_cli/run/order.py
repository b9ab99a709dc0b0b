"""What the person ordered, checked before anything is stored or built."""

import math
from dataclasses import dataclass, field
from pathlib import Path

from dataagent_cli.approval.rule import ApprovalRule
from dataagent_cli.messages import Messages
from dataagent_core.errors import ValidationError


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrder:
    """One run; without a prompt it finishes the session's unfinished one."""

    prompt: str | None
    session_id: str
    # The person named no session, so its id has to be told.
    session_is_new: bool = False
    model: str | None = None
    workspace: Path | None = None
    approvals: ApprovalRule = field(default_factory=ApprovalRule)
    timeout_s: float | None = None
    as_json: bool = False
    unsafe_host_shell: bool = False


def checked_workspace(path: Path, say: Messages) -> Path:
    """Return the directory an agent is to work in, or say that it is not there."""
    if not path.is_dir():
        raise ValidationError(say("no_workspace", path=str(path)))
    return path.resolve()


def checked_timeout(seconds: float | None, say: Messages) -> float | None:
    """Refuse what click takes for a number but no clock does."""
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise ValidationError(say("bad_timeout"))
    return seconds
