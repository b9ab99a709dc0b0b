"""Adds the tool catalogue to model calls: schemas of core and loaded tools, a list of the rest.

All tools stay callable, also those that are not loaded. With core tools only, a call passes
unchanged. Loaded tools are kept in the state of the agent in the order of loading, so that schemas
in the provider's cache keep their place; a new run reads them from the messages of the last one.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from langchain.agents.middleware.types import (
    AgentMiddleware,
    ModelRequest,
    ModelResponse,
)
from langchain_core.tools import BaseTool

from dataagent_core.config.limits import CATALOG_LISTING_TOKENS_MAX
from dataagent_core.models.system_message import append_to_system
from dataagent_core.tools.catalog.catalog_text import render_catalog
from dataagent_core.tools.catalog.catalog_tools import (
    FIND_TOOLS,
    LOAD_TOOLS,
    find_tools,
    load_tools,
)
from dataagent_core.tools.catalog.core_tools import (
    LOADED_KEY,
    CatalogState,
    list_catalogued_tools,
    read_loaded_names,
    select_tools,
)

Handler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]


class ToolCatalog(AgentMiddleware[Any, Any, Any]):
    """Shows the model the core tools, those it loaded, and a list of the others."""

    state_schema = CatalogState

    def __init__(
        self, core: frozenset[str], *, listing_tokens_max: int = CATALOG_LISTING_TOKENS_MAX
    ) -> None:
        super().__init__()
        self._core = core
        self._always = core | {LOAD_TOOLS, FIND_TOOLS}
        self.tools = [load_tools.bind(self._always), find_tools.bind(self._always)]
        self._listing_tokens_max = listing_tokens_max
        self._listed: tuple[Sequence[BaseTool], str] = ((), "")

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any]:  # noqa: ARG002
        return {LOADED_KEY: read_loaded_names(state["messages"])}

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Handler
    ) -> ModelResponse[Any]:
        hidden = list_catalogued_tools(request.tools, self._always)
        if not hidden:
            own = {tool.name for tool in self.tools} - self._core
            kept = [t for t in request.tools if isinstance(t, dict) or t.name not in own]
            return await handler(request.override(tools=kept))
        loaded: list[str] = request.state.get(LOADED_KEY) or []
        text = self._render_listing(hidden)
        changed = request.override(
            tools=select_tools(request.tools, self._always, loaded),
            system_message=append_to_system(request.system_message, text),
        )
        return await handler(changed)

    def _render_listing(self, hidden: Sequence[BaseTool]) -> str:
        # Written once for the same tools: for hundreds it costs milliseconds, on every call.
        known, text = self._listed
        if len(known) != len(hidden) or any(a is not b for a, b in zip(known, hidden, strict=True)):
            text = render_catalog(hidden, self._listing_tokens_max)
            self._listed = (hidden, text)
        return text
