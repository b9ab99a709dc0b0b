"""The web tools an agent gets: those that can work with the settings there are.

`fetch_url`: a page as readable Markdown with its title and the address it ended at.

`web_scrape`: the text of the elements a CSS selector picks from a page.

`http_request`: any request to any allowed address, the answer as it came.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits import WEB_REQUEST_S, WEB_RESPONSE_HEADERS_SHOWN_CHARS_MAX
from dataagent_core.config.settings import Settings
from dataagent_core.errors import ToolExecutionError
from dataagent_core.permissions.taint import make_external_metadata
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.effects import Effect
from dataagent_core.tools.web.response_report import describe_unshown, render_response
from dataagent_core.tools.web.response_text import HTML_TYPES, decode_body, parse_media_type
from dataagent_core.tools.web.search_engines import choose_engine
from dataagent_core.tools.web.urls import format_url
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_message import SAFE_METHODS, WebResponse
from dataagent_core.tools.web.web_page import extract_page, select_elements
from dataagent_core.tools.web.web_search import web_search


def find_http_effect(args: Mapping[str, Any]) -> Effect:
    """State what one call does; the tool as a whole must state its worst."""
    method = str(args.get("method") or "GET").upper()
    return "pure" if method in SAFE_METHODS else "irreversible"


@define_tool("irreversible", make_external_metadata())
async def http_request(
    client: WebClient,
    url: Annotated[str, Field(description="An http or https address")],
    method: Annotated[str, Field(description="GET, HEAD, POST, PUT, PATCH, DELETE")] = "GET",
    headers: Annotated[dict[str, str] | None, Field(description="Request headers")] = None,
    body: Annotated[str | None, Field(description="Text to send; JSON as a string")] = None,
    *,
    timeout_s: Annotated[float, Field(description="Seconds it may take")] = WEB_REQUEST_S,
) -> str:
    """Send one HTTP request and show status, headers and body of the answer."""
    response = await client.request(
        url,
        method=method,
        headers=headers,
        body=None if body is None else body.encode("utf-8", "replace"),
        timeout_s=timeout_s,
    )
    return render_response(response, _render_headers(response), _render_body(response))


def _render_headers(response: WebResponse) -> str:
    lines = "\n".join(f"{name}: {value}" for name, value in response.headers)
    return lines[:WEB_RESPONSE_HEADERS_SHOWN_CHARS_MAX]


def _render_body(response: WebResponse) -> str:
    if response.body is None:
        return "" if response.method == "HEAD" else describe_unshown(response)
    return decode_body(response.body, response.header("content-type"))


@define_tool("pure", make_external_metadata())
async def web_scrape(
    client: WebClient,
    url: Annotated[str, Field(description="The http or https address of a page")],
    selector: Annotated[str, Field(description="A CSS selector, as in 'table.prices td'")],
) -> str:
    """Show the text of every element of a web page that a CSS selector picks."""
    response = await client.request(url)
    content_type = response.header("content-type")
    if response.body is None or parse_media_type(content_type) not in HTML_TYPES:
        raise ToolExecutionError(
            f"{format_url(response.url)} is {parse_media_type(content_type)}, and only "
            "HTML has "
            "elements. Use fetch_url."
        )
    elements = await select_elements(decode_body(response.body, content_type), selector)
    count = f"{elements.found} elements match {selector!r}"
    texts = (f"{number}. {text}" for number, text in enumerate(elements.texts, 1))
    return render_response(response, count, "\n".join(texts))


@define_tool("pure", make_external_metadata())
async def fetch_url(
    client: WebClient,
    url: Annotated[str, Field(description="The http or https address of a page")],
    timeout_s: Annotated[float, Field(description="Seconds it may take")] = WEB_REQUEST_S,
) -> str:
    """Read a web page as Markdown; JSON, XML and plain text come as they are."""
    response = await client.request(url, timeout_s=timeout_s)
    return render_response(response, *await _render_page(response))


async def _render_page(response: WebResponse) -> tuple[str, ...]:
    if response.body is None:
        return (describe_unshown(response),)
    content_type = response.header("content-type")
    text = decode_body(response.body, content_type)
    if parse_media_type(content_type) not in HTML_TYPES:
        return (text,)
    page = await extract_page(text)
    heading = f"Title: {page.title}" if page.title else ""
    empty = "(no readable text: the page may be empty or need JavaScript)"
    return heading, page.text or empty


def make_web_tools(settings: Settings, client: WebClient) -> list[BaseTool]:
    """Make the tools; without a search engine there is no `web_search`."""
    tools = [tool.bind(client) for tool in (http_request, fetch_url, web_scrape)]
    engine = choose_engine(settings, client)
    return tools if engine is None else [*tools, web_search.bind(engine)]
