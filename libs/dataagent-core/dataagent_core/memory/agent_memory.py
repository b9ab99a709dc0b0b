"""What the agent knows before a session: its own `agent.md`, and the project's instructions.

All are read when a run begins and stand in the system prompt. The agent changes `agent.md` with
its ordinary file tools under `MEMORY_PATH`, so every change is asked for and shown as a diff.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)

from dataagent_core.config.limits import MEMORY_FILE_BYTES_MAX
from dataagent_core.models.system_message import append_to_system

MEMORY_PATH = "/memories/agent.md"
# What a project says to agents, from its root; those that exist are read, in this order.
PROJECT_INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md", "agent.md", ".dataagent/agent.md")
# Read only where the other says nothing: many projects have both, with the same text.
_INSTEAD_OF = {"/CLAUDE.md": "/AGENTS.md"}

_PROMPT = """\
<memory>
{memory}
</memory>
The text in <memory> comes from files: notes from earlier sessions and the project's own
instructions. It may be outdated; what the person says now, and what you can check, comes first.
When the person tells you something worth keeping (a preference, a correction, a fact about their
work), read {path} and add it with edit_file. Never write credentials there."""


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A file of notes: where it is, what the agent calls it, and the folder it must lie in.

    It may lie in no `closed` place: a link must not show DataAgent's own files to the model.
    """

    shown_path: str
    path: Path
    root: Path
    closed: tuple[Path, ...] = ()


def memory_files(
    agent_dir: Path, workspace: Path, closed: tuple[Path, ...] = ()
) -> list[MemoryFile]:
    """Name the files an agent in a workspace knows before a session, whether they exist or not."""
    return [
        MemoryFile(MEMORY_PATH, agent_dir / "agent.md", agent_dir),
        *(
            MemoryFile(f"/{name}", workspace / name, workspace, closed)
            for name in PROJECT_INSTRUCTIONS
        ),
    ]


class _MemoryState(AgentState[Any]):
    agent_memory: NotRequired[Annotated[str, PrivateStateAttr]]


class AgentMemoryMiddleware(AgentMiddleware[Any, Any, Any]):
    """Puts the notes into every model call of the run."""

    state_schema = _MemoryState

    def __init__(self, files: Sequence[MemoryFile]) -> None:
        super().__init__()
        self._files = files

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any]:  # noqa: ARG002
        return {"agent_memory": await asyncio.to_thread(read_memory, self._files)}

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        memory = request.state.get("agent_memory")
        if memory:
            text = _PROMPT.format(memory=memory, path=MEMORY_PATH)
            request = request.override(
                system_message=append_to_system(request.system_message, text)
            )
        return await handler(request)


def read_memory(files: Sequence[MemoryFile]) -> str:
    """Read the notes that exist, each under its name; a file that has two names once."""
    parts: list[str] = []
    seen: set[Path] = set()
    told: set[str] = set()
    for file in files:
        if _INSTEAD_OF.get(file.shown_path) in told:
            continue
        # Not `Path.resolve`, which fails on a link to itself: a project may bring one.
        real = Path(os.path.realpath(file.path))
        text = "" if real in seen else _read(real, file)
        seen.add(real)
        if text.strip():
            parts.append(f"## {file.shown_path}\n\n{text.strip()}")
            told.add(file.shown_path)
    return "\n\n".join(parts)


def _read(real: Path, file: MemoryFile) -> str:
    # A project may bring a link to anywhere; only what really lies in its folder is read.
    root = file.root.resolve()
    if not real.is_relative_to(root) or not real.is_file():
        return ""
    closed = (Path(os.path.realpath(place)) for place in file.closed)
    # A server's workspaces lie in its home: there the home is no part of the workspace.
    if any(place.is_relative_to(root) and real.is_relative_to(place) for place in closed):
        return ""
    with real.open("rb") as stream:
        return stream.read(MEMORY_FILE_BYTES_MAX).decode("utf-8", "replace")
