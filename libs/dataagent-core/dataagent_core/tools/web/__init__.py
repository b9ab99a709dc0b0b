"""Web tools: one guarded client, and the four tools that use it."""

from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_toolset import find_http_effect, make_web_tools

__all__ = ["WebClient", "find_http_effect", "make_web_tools"]
