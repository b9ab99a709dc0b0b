"""The two engines a search can go to, each as one request with our own client.

Tavily needs a key; SearXNG is the operator's own and must have its JSON format switched on.
"""

import json
from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

from pydantic import BaseModel, TypeAdapter, ValidationError

from dataagent_core.config.settings import Settings
from dataagent_core.errors import ToolExecutionError
from dataagent_core.tools.web.urls import format_url
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_message import WebResponse

TAVILY_URL = "https://api.tavily.com/search"

_OK = 200


class WebSearchHit(BaseModel):
    """One result; both engines use these names."""

    title: str = ""
    url: str
    content: str | None = None


class _SearchAnswer(BaseModel):
    results: list[WebSearchHit]


SearchEngine = Callable[[str, int], Awaitable[list[WebSearchHit]]]

_ANSWER = TypeAdapter(_SearchAnswer)


def choose_engine(settings: Settings, client: WebClient) -> SearchEngine | None:
    """Choose the engine: Tavily if there is a key, SearXNG if there is an address, or none."""
    if settings.tavily_api_key is not None:
        return make_tavily_engine(client, settings.tavily_api_key.get_secret_value())
    if settings.searxng_url is not None:
        return make_searxng_engine(client, settings.searxng_url)
    return None


def make_tavily_engine(client: WebClient, key: str, url: str = TAVILY_URL) -> SearchEngine:
    """Search with Tavily."""

    async def search(query: str, results_max: int) -> list[WebSearchHit]:
        response = await client.request(
            url,
            method="POST",
            headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
            body=json.dumps({"query": query, "max_results": results_max}).encode(),
        )
        return _hits(response, "Check TAVILY_API_KEY and what is left of its quota.")

    return search


def make_searxng_engine(client: WebClient, url: str) -> SearchEngine:
    """Search with a SearXNG instance."""

    async def search(query: str, results_max: int) -> list[WebSearchHit]:
        question = urlencode({"q": query, "format": "json"})
        response = await client.request(f"{url.rstrip('/')}/search?{question}")
        way_out = "SearXNG must list `json` under `search: formats:` in its settings.yml."
        return _hits(response, way_out)[:results_max]

    return search


def _hits(response: WebResponse, way_out: str) -> list[WebSearchHit]:
    host = format_url(response.url.copy_with(query=None))
    if response.status != _OK:
        raise ToolExecutionError(f"{host} answered {response.status} to the search. {way_out}")
    try:
        return _ANSWER.validate_json(response.body or b"").results
    except ValidationError as error:
        raise ToolExecutionError(
            f"{host} did not answer the search with a list of results. {way_out}"
        ) from error
