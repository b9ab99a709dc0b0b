"""`fetch_url`: a page as readable Markdown with its title and the address it ended at."""

from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits import WEB_REQUEST_S
from dataagent_core.permissions.taint import external_metadata
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.making import make_tool
from dataagent_core.tools.web.client import WebClient
from dataagent_core.tools.web.content import HTML_TYPES, media_type, text_of
from dataagent_core.tools.web.message import WebResponse
from dataagent_core.tools.web.page import readable
from dataagent_core.tools.web.report import not_shown, report


def make_fetch_url(client: WebClient) -> BaseTool:
    """Make the tool that fetches with this client."""

    async def fetch_url(
        url: Annotated[str, Field(description="The http or https address of a page")],
        timeout_s: Annotated[float, Field(description="Seconds it may take")] = WEB_REQUEST_S,
    ) -> str:
        """Read a web page as Markdown; JSON, XML and plain text come as they are."""
        response = await client.request(url, timeout_s=timeout_s)
        return report(response, *await _shown(response))

    return make_tool(fetch_url, effect_metadata("pure") | external_metadata())


async def _shown(response: WebResponse) -> tuple[str, ...]:
    if response.body is None:
        return (not_shown(response),)
    content_type = response.header("content-type")
    text = text_of(response.body, content_type)
    if media_type(content_type) not in HTML_TYPES:
        return (text,)
    page = await readable(text)
    heading = f"Title: {page.title}" if page.title else ""
    empty = "(no readable text: the page may be empty or need JavaScript)"
    return heading, page.text or empty
