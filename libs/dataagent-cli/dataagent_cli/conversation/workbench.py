"""What a conversation offers besides messages: files, sources, mentions and shell lines.

A conversation in this process has all of it (`local/workbench.py`); one on a server has what the
server offers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from dataagent_cli.approval.sign_in import SignInAt
    from dataagent_core.engine.graph.deep import KnownSkill
    from dataagent_core.mcp.tools import OfferedPrompt, OfferedResource
    from dataagent_core.permissions import ProjectRules
    from dataagent_core.tools.file_tracker import FileSource
    from dataagent_core.tools.registry import ToolRegistry


@dataclass(frozen=True, slots=True)
class LineOutput:
    """What a command line of the person wrote, and how it ended."""

    text: str
    exit_code: int | None
    # What the sandbox has to say: killed for its time, its memory.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionServices:
    """What a question needs besides its event: the files it would change, the rules it may add."""

    files: "FileSource"
    # Nothing where rules are the server's to keep.
    project: "ProjectRules | None"
    sign_in: "SignInAt"


class Workbench(Protocol):
    """Files, data sources and a shell, for the person rather than for the agent."""

    async def ready(self) -> None:
        """Wait until whoever works is there.

        Until then the engine may be on its way in another thread, and nothing of it may be imported
        in this one: modules that import each other would be seen half made.
        """
        ...

    @property
    def here(self) -> Path:
        """Where paths that the person types begin: a directory of this machine."""
        ...

    def read(self, path: str, bytes_max: int) -> bytes | None:
        """Give a file of the workspace, for what is drawn; nothing when it cannot be had."""
        ...

    async def for_questions(self) -> QuestionServices: ...

    async def file_names(self) -> Sequence[str]:
        """Name the files of the workspace, as far as a bounded look finds them."""
        ...

    async def source_names(self) -> Sequence[str]:
        """Name the data sources."""
        ...

    async def server_names(self) -> Sequence[str]:
        """Name the MCP servers of the agent; none is started."""
        ...

    async def missing_mentions(self, text: str) -> Sequence[str]:
        """List the names with `@` in a message that nothing there has; none when it is unknown."""
        ...

    async def resources(self, server: str) -> "Sequence[OfferedResource]":
        """List the resources of an MCP server, which is started if need be."""
        ...

    async def prompts(self, server: str) -> "Sequence[OfferedPrompt]":
        """List the prompts of an MCP server, which is started if need be."""
        ...

    async def prompt(self, server: str, name: str, arguments: Mapping[str, str]) -> str:
        """Have a prompt of an MCP server filled in, as the text of a message."""
        ...

    async def tools(self) -> "ToolRegistry":
        """Give the tools the agent has now; what its MCP servers offer is asked for."""
        ...

    async def skills(self) -> "Sequence[KnownSkill]":
        """List the skills the agent is offered."""
        ...

    async def run_line(self, command: str) -> LineOutput:
        """Run a line of the person's in the sandbox."""
        ...

    async def context_share(self) -> float | None:
        """Say how full the model's window was at its last call."""
        ...

    async def attached(self, path: str) -> str:
        """Name a picture as the agent can open it, putting it there if need be."""
        ...

    async def store_picture(self, name: str, data: bytes) -> str:
        """Put a picture that is no file yet where the agent can open it, and name it."""
        ...

    async def aclose(self) -> None: ...
