"""The web tools an agent gets: those that can work with the settings there are."""

from langchain_core.tools import BaseTool

from dataagent_core.config.settings import Settings
from dataagent_core.tools.web.fetch_url import make_fetch_url
from dataagent_core.tools.web.http_request import make_http_request
from dataagent_core.tools.web.search_engines import choose_engine
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_scrape import make_web_scrape
from dataagent_core.tools.web.web_search import make_web_search


def make_web_tools(settings: Settings, client: WebClient) -> list[BaseTool]:
    """Make the tools; without a search engine there is no `web_search`."""
    tools = [make_http_request(client), make_fetch_url(client), make_web_scrape(client)]
    engine = choose_engine(settings, client)
    return tools if engine is None else [*tools, make_web_search(engine)]
