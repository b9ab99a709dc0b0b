"""Web tools: one guarded client, and the four tools that use it."""

from dataagent_core.tools.web.client import WebClient
from dataagent_core.tools.web.http_request import http_effect
from dataagent_core.tools.web.toolset import make_web_tools

__all__ = ["WebClient", "http_effect", "make_web_tools"]
