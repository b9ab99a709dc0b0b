"""`web_scrape`: the text of the elements a CSS selector picks from a page."""

from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.errors import ToolExecutionError
from dataagent_core.permissions.taint import external_metadata
from dataagent_core.tools.definition.tool_factory import make_tool
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.web.response_report import render_response
from dataagent_core.tools.web.response_text import HTML_TYPES, decode_body, parse_media_type
from dataagent_core.tools.web.urls import format_url
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_page import select_elements


def make_web_scrape(client: WebClient) -> BaseTool:
    """Make the tool that scrapes with this client."""

    async def web_scrape(
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

    return make_tool(web_scrape, effect_metadata("pure") | external_metadata())
