"""The page a browser shows after a sign-in at an MCP server. Pure."""

from html import escape

from dataagent_server.api.pages.shell import page
from dataagent_server.api.pages.texts import Language, say


def signed_in_page(server: str, language: Language) -> str:
    """Render the page for a success."""
    title = say("mcp_signed_in", language)
    sentence = say("mcp_close", language, server=server)
    return page(title, f"<h1>{escape(title)}</h1><p>{escape(sentence)}</p>", language)


def failed_page(reason: str, language: Language) -> str:
    """Render the page for a failure."""
    title = say("mcp_failed", language)
    again = say("mcp_again", language)
    body = f"<h1>{escape(title)}</h1><p>{escape(reason)}</p><p>{escape(again)}</p>"
    return page(title, body, language)
