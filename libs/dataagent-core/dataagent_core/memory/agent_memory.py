"""The agent's memory between sessions: its own `agent.md`, and the project's instructions.

They are read when a run begins and are part of the system prompt. The agent changes `agent.md` with
its file tools under `MEMORY_PATH`, so every change needs an approval and is shown as a diff.
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
_KEEPS_WITH = "edit_file"
# The project's instructions for agents, from its root; those that exist are read in this order.
PROJECT_INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md", "agent.md", ".dataagent/agent.md")
# Read only if the other is missing or empty: many projects have both, with the same text.
_INSTEAD_OF = {"/CLAUDE.md": "/AGENTS.md"}

_PROMPT = """\
<memory>
{memory}
</memory>
The text in <memory> comes from files: notes from earlier sessions and the project's own
instructions. It may be outdated; what the person says now, and what you can check, comes first."""
_KEEP = """
When the person tells you something worth keeping (a preference, a correction, a fact about their
work), read {path} and add it with edit_file. Never write credentials there."""


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A file of notes: its path, its name for the agent, and the folder it must be in.

    It must not be in a `closed` folder: a link must not show DataAgent's own files to the model.
    """

    shown_path: str
    path: Path
    root: Path
    closed: tuple[Path, ...] = ()


def memory_files(
    agent_dir: Path, workspace: Path, closed: tuple[Path, ...] = ()
) -> list[PromptFile]:
    """List the memory files of an agent in a workspace, whether they exist or not."""
    return [
        PromptFile(MEMORY_PATH, agent_dir / "agent.md", agent_dir),
        *(
            PromptFile(f"/{name}", workspace / name, workspace, closed)
            for name in PROJECT_INSTRUCTIONS
        ),
    ]


class _MemoryState(AgentState[Any]):
    agent_memory: NotRequired[Annotated[str, PrivateStateAttr]]


class AgentMemoryMiddleware(AgentMiddleware[Any, Any, Any]):
    """Adds the notes to every model call of the run."""

    state_schema = _MemoryState

    def __init__(self, files: Sequence[PromptFile]) -> None:
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
            names = {tool.name for tool in request.tools if not isinstance(tool, dict)}
            # A sub-agent may have no tool to keep anything with.
            keep = _KEEP if _KEEPS_WITH in names else ""
            text = (_PROMPT + keep).format(memory=memory, path=MEMORY_PATH)
            request = request.override(
                system_message=append_to_system(request.system_message, text)
            )
        return await handler(request)


def read_memory(files: Sequence[PromptFile]) -> str:
    """Read the notes that exist, each under its name; a file with two names only once."""
    parts: list[str] = []
    seen: set[Path] = set()
    read_paths: set[str] = set()
    for file in files:
        if _INSTEAD_OF.get(file.shown_path) in read_paths:
            continue
        # Not `Path.resolve`, which fails on a link to itself: a project may contain one.
        real = Path(os.path.realpath(file.path))
        text = "" if real in seen else _read(real, file)
        seen.add(real)
        if text.strip():
            parts.append(f"## {file.shown_path}\n\n{text.strip()}")
            read_paths.add(file.shown_path)
    return "\n\n".join(parts)


def _read(real: Path, file: PromptFile) -> str:
    # A project may contain links to anywhere; only files inside its folder are read.
    root = file.root.resolve()
    if not real.is_relative_to(root) or not real.is_file():
        return ""
    closed = (Path(os.path.realpath(folder)) for folder in file.closed)
    # A closed folder around the workspace, like a server's home, does not close the workspace.
    if any(folder.is_relative_to(root) and real.is_relative_to(folder) for folder in closed):
        return ""
    with real.open("rb") as stream:
        return stream.read(MEMORY_FILE_BYTES_MAX).decode("utf-8", "replace")
