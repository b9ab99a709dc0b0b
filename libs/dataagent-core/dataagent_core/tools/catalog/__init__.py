"""The catalogue: tools beyond a core set are listed by name and purpose, and loaded when wanted."""

from dataagent_core.tools.catalog.core import core_names
from dataagent_core.tools.catalog.estimate import estimated_tokens
from dataagent_core.tools.catalog.listing import listing
from dataagent_core.tools.catalog.middleware import ToolCatalog
from dataagent_core.tools.catalog.offers import FIND_TOOLS, LOAD_TOOLS
from dataagent_core.tools.catalog.search import search

__all__ = [
    "FIND_TOOLS",
    "LOAD_TOOLS",
    "ToolCatalog",
    "core_names",
    "estimated_tokens",
    "listing",
    "search",
]
