"""`fetch_url`: a page as readable Markdown with its title and the address it ended at."""

from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits import WEB_REQUEST_S
from dataagent_core.permissions.taint import external_metadata
from dataagent_core.tools.definition.tool_factory import make_tool
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.web.response_report import describe_unshown, render_response
from dataagent_core.tools.web.response_text import HTML_TYPES, decode_body, parse_media_type
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_message import WebResponse
from dataagent_core.tools.web.web_page import extract_page


def make_fetch_url(client: WebClient) -> BaseTool:
    """Make the tool that fetches with this client."""

    async def fetch_url(
        url: Annotated[str, Field(description="The http or https address of a page")],
        timeout_s: Annotated[float, Field(description="Seconds it may take")] = WEB_REQUEST_S,
    ) -> str:
        """Read a web page as Markdown; JSON, XML and plain text come as they are."""
        response = await client.request(url, timeout_s=timeout_s)
        return render_response(response, *await _shown(response))

    return make_tool(fetch_url, effect_metadata("pure") | external_metadata())


async def _shown(response: WebResponse) -> tuple[str, ...]:
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
