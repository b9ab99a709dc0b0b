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

# Returns a transport that is not open yet; entering it starts the program or dials.
OpenTransport = Callable[[Owner, MCPServerConfig], "Transport"]
# Returns the auth of requests to an HTTP server; None if its headers are enough.
AuthFor = Callable[[Owner, MCPServerConfig], "httpx2.Auth | None"]

# Returns the roots of a server, as paths the server itself can open.
RootsFor = Callable[[Owner, MCPServerConfig], Awaitable[Sequence[Path]]]

ServerState = Literal["disconnected", "connecting", "connected", "needs_auth", "error"]

OnProgress = Callable[[float, float | None, str | None], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Elicitation:
    """A server's form for a person, or a page to visit."""

    message: str
    # A flat JSON schema of the fields; empty if a page is to be visited.
    schema: dict[str, Any]
    url: str = ""


@dataclass(frozen=True, slots=True)
class ElicitationResult:
    """The person's answer."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


Elicit = Callable[[Elicitation], Awaitable[ElicitationResult]]

# Returns whether a server is offered our model (`sampling`).
OffersSampling = Callable[[Owner, MCPServerConfig], bool]


@dataclass(frozen=True, slots=True)
class SamplingMessage:
    """One message of a sampling request."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingRequest:
    """A server's request to our model (`sampling/createMessage`)."""

    messages: tuple[SamplingMessage, ...]
    max_tokens: int
    system_prompt: str = ""
    stop_sequences: tuple[str, ...] = ()
    # Names of models the server prefers; ours is used in any case.
    model_hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingResult:
    """The model's answer."""

    text: str
    model: str
    stop_reason: Literal["endTurn", "stopSequence", "maxTokens"]


@dataclass(frozen=True, slots=True)
class SamplingRefusal:
    """Why the model was not asked; a refusal by a person has a code of its own."""

    reason: str
    by_person: bool = False


Sample = Callable[[SamplingRequest], Awaitable[SamplingResult | SamplingRefusal]]


def every_server(owner: Owner, config: MCPServerConfig) -> bool:
    """Offer our model to every server; each request is decided in its run."""
    del owner, config
    return True


def no_sampling(owner: Owner, config: MCPServerConfig) -> bool:
    """Offer our model to no server."""
    del owner, config
    return False


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The state of one server, with a sentence for a person."""

    state: ServerState
    detail: str = ""
    # The protocol of the last connection; empty before the first.
    protocol_version: str = ""
    tools: int = 0


@dataclass(frozen=True, slots=True)
class ResourceListing:
    """The resources a server lists, and a note on problems of its listing."""

    resources: "tuple[Resource, ...]" = ()
    templates: "tuple[ResourceTemplate, ...]" = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class PromptListing:
    """The prompts a server lists, and a note on problems of its listing."""

    prompts: "tuple[Prompt, ...]" = ()
    note: str = ""


class Connection(Protocol):
    """One server of one owner: started on first use, kept, and started again."""

    @property
    def config(self) -> MCPServerConfig: ...

    @property
    def status(self) -> ServerStatus: ...

    async def tools(self) -> "tuple[Tool, ...]":
        """List the current tools; the same tuple while nothing changed."""
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
        """Call a tool; a cancellation is sent to the server. Raises an `MCPServerError`.

        With `expected`, only if the server still describes the tool as the caller knows it.
        """
        ...

    async def resources(self) -> ResourceListing:
        """List the resources; empty without a request if the server declares none."""
        ...

    async def read_resource(self, uri: str, *, timeout_s: float) -> "ReadResourceResult":
        """Read a resource; it need not be listed. Raises an `MCPServerError`."""
        ...

    async def prompts(self) -> PromptListing:
        """List the prompts; empty without a request if the server declares none."""
        ...

    async def get_prompt(
        self, name: str, arguments: dict[str, str], *, timeout_s: float
    ) -> "GetPromptResult":
        """Fill in a prompt. Raises an `MCPServerError`."""
        ...
