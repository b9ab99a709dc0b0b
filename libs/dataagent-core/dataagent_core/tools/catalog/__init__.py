"""The catalogue: tools beyond a core set are listed by name and purpose, and loaded when wanted."""

from dataagent_core.tools.catalog.catalog_middleware import ToolCatalog
from dataagent_core.tools.catalog.catalog_text import render_catalog
from dataagent_core.tools.catalog.catalog_tools import FIND_TOOLS, LOAD_TOOLS
from dataagent_core.tools.catalog.core_tools import choose_core_names, estimate_tokens
from dataagent_core.tools.catalog.tool_search import search_tools

__all__ = [
    "FIND_TOOLS",
    "LOAD_TOOLS",
    "ToolCatalog",
    "choose_core_names",
    "estimate_tokens",
    "render_catalog",
    "search_tools",
]
