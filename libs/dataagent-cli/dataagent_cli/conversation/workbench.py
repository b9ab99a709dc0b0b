"""What a conversation offers besides messages: files, sources, mentions and shell lines.

A conversation in this process has all of it (`local/workbench.py`); one on a server has what the
server offers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from dataagent_cli.approval.sign_in import SignInAt
    from dataagent_core.mcp.tools import OfferedPrompt, OfferedResource
    from dataagent_core.permissions import ProjectRules
    from dataagent_core.subagents import SubAgent
    from dataagent_core.tools.file_tracker import FileSource
    from dataagent_core.tools.registry import ToolRegistry


OfferKind = Literal["skills", "agents"]


@dataclass(frozen=True, slots=True)
class LineOutput:
    """The output of a person's command line, and its exit code."""

    text: str
    exit_code: int | None
    # Notes of the sandbox: killed for its time or its memory.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SkillOffer:
    """A skill that a message can ask for by name."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class QuestionServices:
    """What a question needs besides its event: files for the diff, rules to save."""

    files: "FileSource"
    # None if the server keeps the rules.
    project: "ProjectRules | None"
    sign_in: "SignInAt"


class Workbench(Protocol):
    """Files, data sources and a shell for the person."""

    async def ready(self) -> None:
        """Wait until the engine or the server is ready.

        Until then another thread may be importing the engine, and this thread must not import any
        of it: modules that import each other would be seen half initialised.
        """
        ...

    @property
    def here(self) -> Path:
        """The directory of this machine that typed paths are relative to."""
        ...

    def read(self, path: str, bytes_max: int) -> bytes | None:
        """Return a file of the workspace to draw it; None if it cannot be read."""
        ...

    async def for_questions(self) -> QuestionServices: ...

    async def file_names(self) -> Sequence[str]:
        """List files of the workspace, within a limit."""
        ...

    async def source_names(self) -> Sequence[str]:
        """Name the data sources."""
        ...

    async def server_names(self) -> Sequence[str]:
        """List the agent's MCP servers; none is started."""
        ...

    async def missing_mentions(self, text: str) -> Sequence[str]:
        """List the `@` names in a message that do not exist; none if that is unknown."""
        ...

    async def resources(self, server: str) -> "Sequence[OfferedResource]":
        """List the resources of an MCP server, which is started if needed."""
        ...

    async def prompts(self, server: str) -> "Sequence[OfferedPrompt]":
        """List the prompts of an MCP server, which is started if needed."""
        ...

    async def prompt(self, server: str, name: str, arguments: Mapping[str, str]) -> str:
        """Return a filled-in prompt of an MCP server, as the text of a message."""
        ...

    async def tools(self) -> "ToolRegistry":
        """Return the tools the agent has now, those of its MCP servers included."""
        ...

    async def skills(self) -> Sequence[SkillOffer]:
        """List the skills of the agent."""
        ...

    async def subagents(self) -> "Sequence[SubAgent]":
        """List the sub-agents that a message can ask for with `@`."""
        ...

    async def count_broken(self, kind: OfferKind) -> int:
        """Count the skills or sub-agents that cannot be used until their files are corrected."""
        ...

    async def run_line(self, command: str) -> LineOutput:
        """Run a command line of the person in the sandbox."""
        ...

    async def context_share(self) -> float | None:
        """Return how full the context window was at the last model call."""
        ...

    async def attach_picture(self, path: str) -> str:
        """Make a picture available to the agent, and return its name."""
        ...

    async def store_picture(self, name: str, data: bytes) -> str:
        """Store a picture that is not a file yet for the agent, and return its name."""
        ...

    async def aclose(self) -> None: ...
