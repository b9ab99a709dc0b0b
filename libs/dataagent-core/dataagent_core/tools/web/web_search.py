"""`web_search`: titles, addresses and snippets from the engine the settings name."""

from typing import Annotated

from pydantic import Field

from dataagent_core.config.limits import (
    WEB_SEARCH_QUERY_CHARS_MAX,
    WEB_SEARCH_RESULTS,
    WEB_SEARCH_RESULTS_MAX,
    WEB_SEARCH_SNIPPET_CHARS_MAX,
)
from dataagent_core.permissions.taint import make_external_metadata
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.web.response_report import mark_external
from dataagent_core.tools.web.search_engines import SearchEngine, WebSearchHit


@define_tool("pure", make_external_metadata())
async def web_search(
    engine: SearchEngine,
    query: Annotated[
        str, Field(min_length=1, max_length=WEB_SEARCH_QUERY_CHARS_MAX, description="Words")
    ],
    max_results: Annotated[
        int, Field(ge=1, le=WEB_SEARCH_RESULTS_MAX, description="How many results")
    ] = WEB_SEARCH_RESULTS,
) -> str:
    """Search the web; fetch_url reads what is found."""
    hits = await engine(query, max_results)
    found = [_render_hit(number, hit) for number, hit in enumerate(hits[:max_results], 1)]
    return mark_external(f"a web search for {query!r}", *(found or ["(nothing found)"]))


def _render_hit(number: int, hit: WebSearchHit) -> str:
    title = " ".join(hit.title.split())
    url = " ".join(hit.url.split())
    snippet = " ".join((hit.content or "").split())[:WEB_SEARCH_SNIPPET_CHARS_MAX]
    return "\n".join(filter(None, (f"{number}. {title}", url, snippet)))
