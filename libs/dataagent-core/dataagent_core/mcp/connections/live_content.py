"""The resources and prompts of a connected server.

A server is asked only for what it declares. A listing is kept until the server announces a
change, or for a short while if it announces none.
"""

import asyncio
from typing import NamedTuple, Self

from mcp.client.session import ClientSession
from mcp_types import GetPromptResult, InputRequiredResult, ReadResourceResult, ServerCapabilities

from dataagent_core.config.limits.mcp import MCP_LISTING_FRESH_S
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.connections.fetch_listing import (
    ListingPages,
    fetch_prompts,
    fetch_resources,
    fetch_templates,
)
from dataagent_core.mcp.ports import PromptListing, ResourceListing


class ContentListener(NamedTuple):
    """The listings whose changes a server announces."""

    tools: bool
    resources: bool
    prompts: bool

    @classmethod
    def from_capabilities(cls, declared: ServerCapabilities) -> Self:
        kinds = (declared.tools, declared.resources, declared.prompts)
        return cls(*(kind is not None and bool(kind.list_changed) for kind in kinds))


class LiveContent:
    """The resources and prompts of one session."""

    def __init__(
        self,
        server: str,
        session: ClientSession,
        declared: ServerCapabilities,
        announced: ContentListener,
        pages: ListingPages,
    ) -> None:
        self._server = server
        self._session = session
        self._declared = declared
        self._announced = announced
        self._pages = pages
        self._listing = asyncio.Lock()
        self._resources: ResourceListing | None = None
        self._resources_listed_s = 0.0
        self._prompts: PromptListing | None = None
        self._prompts_listed_s = 0.0

    def resources_changed(self) -> None:
        self._resources = None

    def prompts_changed(self) -> None:
        self._prompts = None

    async def resources(self) -> ResourceListing:
        if self._declared.resources is None:
            return ResourceListing()
        async with self._listing:
            known = self._resources
            if known is not None and self._is_fresh(
                self._resources_listed_s, announced=self._announced.resources
            ):
                return known
            self._resources_listed_s = _now_s()
            self._pages.begin("resources")
            self._pages.begin("resourceTemplates")
            resources = await fetch_resources(self._session)
            templates = await fetch_templates(self._session)
            notes = (
                self._pages.note_on("resources"),
                resources.note,
                self._pages.note_on("resourceTemplates"),
                templates.note,
            )
            listing = ResourceListing(resources.items, templates.items, _joined(*notes))
            self._resources = listing
            return listing

    async def read(self, uri: str) -> ReadResourceResult:
        if self._declared.resources is None:
            raise MCPServerError(self._server, "has no resources.")
        result = await self._session.read_resource(uri, allow_input_required=True)
        if isinstance(result, InputRequiredResult):
            raise self._asks_first(f"the resource {uri!r:.200}")
        return result

    async def prompts(self) -> PromptListing:
        if self._declared.prompts is None:
            return PromptListing()
        async with self._listing:
            known = self._prompts
            if known is not None and self._is_fresh(
                self._prompts_listed_s, announced=self._announced.prompts
            ):
                return known
            self._prompts_listed_s = _now_s()
            self._pages.begin("prompts")
            prompts = await fetch_prompts(self._session)
            note = _joined(self._pages.note_on("prompts"), prompts.note)
            self._prompts = listing = PromptListing(prompts.items, note)
            return listing

    async def prompt(self, name: str, arguments: dict[str, str]) -> GetPromptResult:
        if self._declared.prompts is None:
            raise MCPServerError(self._server, "has no prompts.")
        result = await self._session.get_prompt(name, arguments, allow_input_required=True)
        if isinstance(result, InputRequiredResult):
            raise self._asks_first(f"the prompt {name!r:.200}")
        return result

    def _asks_first(self, what: str) -> MCPServerError:
        return MCPServerError(
            self._server, f"asks a question before it gives {what}; only its tools may do that."
        )

    def _is_fresh(self, listed_s: float, *, announced: bool) -> bool:
        return announced or _now_s() - listed_s < MCP_LISTING_FRESH_S


def _now_s() -> float:
    return asyncio.get_running_loop().time()


def _joined(*notes: str) -> str:
    return " ".join(note for note in notes if note)
