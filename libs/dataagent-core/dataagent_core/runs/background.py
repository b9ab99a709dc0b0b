"""A background task: a task of a sub-agent that is a run of its own, in a session of its own.

It goes on when the run that started it is over, and it survives what every run survives. Its id is
the id of its session. The model's tools are in `engine/delegation/background_tools.py`. The port
`BackgroundRuns` starts such runs: in this process (`local_background_runs.py` beside the tools), or
through the queue of the server.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, Self

from dataagent_core.session.prompt import OTHERS_WORDS_KEY, OWN_WORDS_KEY, SUBAGENTS_KEY

# In the metadata of the task's session, and in the context of its message.
BACKGROUND_TASK_KEY: Final = "background_task"
_ID: Final = re.compile(r"task-[0-9a-f]{24}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundTask:
    """Who started a task, and which sub-agent works on it."""

    parent_session_id: str
    parent_run_id: str
    subagent: str

    @classmethod
    def read(cls, metadata: Mapping[str, Any]) -> Self | None:
        """Read it from a session's metadata or a message's context; None if it is no task."""
        stored = metadata.get(BACKGROUND_TASK_KEY)
        if not isinstance(stored, Mapping):
            return None
        return cls(
            parent_session_id=str(stored.get("parent_session_id", "")),
            parent_run_id=str(stored.get("parent_run_id", "")),
            subagent=str(stored.get("subagent", "")),
        )

    def to_metadata(self) -> dict[str, Any]:
        """Write it for the metadata of a session."""
        return {
            BACKGROUND_TASK_KEY: {
                "parent_session_id": self.parent_session_id,
                "parent_run_id": self.parent_run_id,
                "subagent": self.subagent,
            }
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBackgroundRun:
    """A background run to be started."""

    # The id of the task and of its session.
    session_id: str
    task: BackgroundTask
    description: str
    title: str
    # Whose content the conversation held that wrote the description.
    sources: tuple[str, ...] = ()
    # The sub-agents that the person does not want.
    forbid: tuple[str, ...] = ()

    def context(self) -> dict[str, Any]:
        """Return the context of the message: a model wrote it, so none of it is a person's word."""
        return {
            **self.task.to_metadata(),
            OWN_WORDS_KEY: 0,
            OTHERS_WORDS_KEY: list(self.sources),
            SUBAGENTS_KEY: {"forbid": list(self.forbid)},
        }


class BackgroundRuns(Protocol):
    """Starts, continues and cancels background runs; the log says how they stand."""

    async def start(self, new: NewBackgroundRun) -> None:
        """Start a run in a new session; starting the same one again changes nothing."""
        ...

    async def find(self, session_id: str) -> BackgroundTask | None:
        """Return the task of a session; None if it is no task of this user."""
        ...

    async def continue_stopped(self, session_id: str) -> bool:
        """Continue a run that a process left unfinished; return whether there was one."""
        ...

    async def cancel(self, session_id: str) -> None:
        """Cancel the run of a session; a run that is over is a `NotFoundError`."""
        ...


def make_task_id(run_id: str, call_key: str) -> str:
    """Make the id of a task: the same call gives the same id, also after a crash."""
    digest = hashlib.sha256(f"{run_id}\n{call_key}".encode()).hexdigest()
    return f"task-{digest[:24]}"


def is_task_id(text: str) -> bool:
    """Say whether a text can be the id of a task."""
    return _ID.fullmatch(text) is not None
