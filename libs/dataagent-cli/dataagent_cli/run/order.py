"""What the person ordered, checked before anything is stored or built."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dataagent_cli.approval.rule import ApprovalRule
from dataagent_cli.messages import Messages
from dataagent_core.errors import ValidationError
from dataagent_core.events.system import Mode
from dataagent_core.session.prompt import OWN_WORDS_KEY


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrder:
    """One run; without a prompt it finishes the session's unfinished one."""

    prompt: str | None
    session_id: str
    # How much of the prompt, from its beginning, was typed on the command line.
    typed_chars: int = 0
    # The person named no session, so its id has to be told.
    session_is_new: bool = False
    model: str | None = None
    workspace: Path | None = None
    # The mode to begin in; as the session is when unset.
    mode: Mode | None = None
    approvals: ApprovalRule = field(default_factory=ApprovalRule)
    timeout_s: float | None = None
    as_json: bool = False
    # Where commands run and files are; as the settings say when unset.
    sandbox_type: str | None = None
    sandbox_id: str | None = None
    unsafe_host_shell: bool = False
    # The answer is one JSON document: nothing else may reach stdout, not even while it is written.
    answer_is_document: bool = False
    # What is kept with the message besides its place: the answer's schema, whose words it holds.
    context: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def own_words(self) -> str:
        """What the person asked, without what was piped in beside it."""
        prompt = self.prompt or ""
        return prompt[: self.context.get(OWN_WORDS_KEY, len(prompt))]


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
