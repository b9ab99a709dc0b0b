"""What the parts of this package hand each other.

    manager > connection > transport (opened by an `OpenTransport`) > server
                         > auth (made by an `AuthFor`, for HTTP servers)

`connections/` knows no transport, `transports/` no manager, `oauth/` neither.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.owner import Owner

if TYPE_CHECKING:
    import httpx2
    from mcp.client import Transport
    from mcp_types import (
        CallToolResult,
        GetPromptResult,
        Prompt,
        ReadResourceResult,
        Resource,
        ResourceTemplate,
        Tool,
    )

# Gives a transport that is not yet open; entering it starts the program or dials.
OpenTransport = Callable[[Owner, MCPServerConfig], "Transport"]
# Gives what signs the requests to an HTTP server; None when its headers are enough.
AuthFor = Callable[[Owner, MCPServerConfig], "httpx2.Auth | None"]

# Gives the folders a server is told of as roots; as the server itself finds them.
RootsFor = Callable[[Owner, MCPServerConfig], Awaitable[Sequence[Path]]]

ServerState = Literal["disconnected", "connecting", "connected", "needs_auth", "error"]

OnProgress = Callable[[float, float | None, str | None], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Elicitation:
    """What a server wants a person to fill in, or where it wants them to go."""

    message: str
    # A flat JSON schema of the fields; empty when a page is to be visited.
    schema: dict[str, Any]
    url: str = ""


@dataclass(frozen=True, slots=True)
class ElicitationResult:
    """What the person said."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


Elicit = Callable[[Elicitation], Awaitable[ElicitationResult]]

# Says whether a server is told that it may ask for answers of our model (`sampling`).
OffersSampling = Callable[[Owner, MCPServerConfig], bool]


@dataclass(frozen=True, slots=True)
class SamplingMessage:
    """One message of the conversation that a server wants answered."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingRequest:
    """What a server wants our model to answer (`sampling/createMessage`), in the server's words."""

    messages: tuple[SamplingMessage, ...]
    max_tokens: int
    system_prompt: str = ""
    stop_sequences: tuple[str, ...] = ()
    # Names of models the server would like; ours is used whatever they say.
    model_hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingResult:
    """What the model said."""

    text: str
    model: str
    stop_reason: Literal["endTurn", "stopSequence", "maxTokens"]


@dataclass(frozen=True, slots=True)
class SamplingRefusal:
    """Why the model was not asked; a person's no has a code of its own."""

    reason: str
    by_person: bool = False


Sample = Callable[[SamplingRequest], Awaitable[SamplingResult | SamplingRefusal]]


def every_server(owner: Owner, config: MCPServerConfig) -> bool:
    """Offer it to every server; whether a request is granted is decided in its run."""
    del owner, config
    return True


def no_sampling(owner: Owner, config: MCPServerConfig) -> bool:
    """Offer no server our model."""
    del owner, config
    return False


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """How one server is, in a word and a sentence for a person."""

    state: ServerState
    detail: str = ""
    # What was spoken last time; empty before the first connect.
    protocol_version: str = ""
    tools: int = 0


@dataclass(frozen=True, slots=True)
class ResourceListing:
    """The resources a server lists, and what is wrong with its listing in a sentence."""

    resources: "tuple[Resource, ...]" = ()
    templates: "tuple[ResourceTemplate, ...]" = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class PromptListing:
    """The prompts a server lists, and what is wrong with its listing in a sentence."""

    prompts: "tuple[Prompt, ...]" = ()
    note: str = ""


class Connection(Protocol):
    """One server as one owner sees it: started when first asked, kept, and started again."""

    @property
    def config(self) -> MCPServerConfig: ...

    @property
    def status(self) -> ServerStatus: ...

    async def tools(self) -> "tuple[Tool, ...]":
        """List its tools, as they are now; the same tuple while nothing changed."""
        ...

    async def call(
        self,
        tool: str,
        arguments: dict[str, Any],
        *,
        timeout_s: float,
        on_progress: OnProgress | None = None,
        elicit: Elicit | None = None,
        sample: Sample | None = None,
        expected: "Tool | None" = None,
    ) -> "CallToolResult":
        """Call a tool; cancelling this tells the server. Raises an `MCPServerError`.

        With `expected`, only if the server still describes the tool as the caller knows it.
        """
        ...

    async def resources(self) -> ResourceListing:
        """List its resources; empty without asking where the server says it has none."""
        ...

    async def read_resource(self, uri: str, *, timeout_s: float) -> "ReadResourceResult":
        """Read a resource; it need not be listed. Raises an `MCPServerError`."""
        ...

    async def prompts(self) -> PromptListing:
        """List its prompts; empty without asking where the server says it has none."""
        ...

    async def get_prompt(
        self, name: str, arguments: dict[str, str], *, timeout_s: float
    ) -> "GetPromptResult":
        """Have a prompt filled in. Raises an `MCPServerError`."""
        ...
