"""`web_scrape`: the text of the elements a CSS selector picks from a page."""

from typing import Annotated

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.errors import ToolExecutionError
from dataagent_core.permissions.taint import external_metadata
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.making import make_tool
from dataagent_core.tools.web.client import WebClient
from dataagent_core.tools.web.content import HTML_TYPES, media_type, text_of
from dataagent_core.tools.web.page import select
from dataagent_core.tools.web.report import report
from dataagent_core.tools.web.urls import shown_url


def make_web_scrape(client: WebClient) -> BaseTool:
    """Make the tool that scrapes with this client."""

    async def web_scrape(
        url: Annotated[str, Field(description="The http or https address of a page")],
        selector: Annotated[str, Field(description="A CSS selector, as in 'table.prices td'")],
    ) -> str:
        """Show the text of every element of a web page that a CSS selector picks."""
        response = await client.request(url)
        content_type = response.header("content-type")
        if response.body is None or media_type(content_type) not in HTML_TYPES:
            raise ToolExecutionError(
                f"{shown_url(response.url)} is {media_type(content_type)}, and only HTML has "
                "elements. Use fetch_url."
            )
        elements = await select(text_of(response.body, content_type), selector)
        count = f"{elements.found} elements match {selector!r}"
        texts = (f"{number}. {text}" for number, text in enumerate(elements.texts, 1))
        return report(response, count, "\n".join(texts))

    return make_tool(web_scrape, effect_metadata("pure") | external_metadata())
