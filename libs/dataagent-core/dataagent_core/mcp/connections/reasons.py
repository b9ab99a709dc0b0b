"""Reasons of failures as sentences of bounded length."""

from dataagent_core.config.limits.mcp import MCP_REASON_CHARS_MAX
from dataagent_core.errors import MCPServerError


def shorten_reason(text: str) -> str:
    """Truncate a server's text, which may be megabytes."""
    text = " ".join(text[: 4 * MCP_REASON_CHARS_MAX].split())
    return text if len(text) <= MCP_REASON_CHARS_MAX else f"{text[:MCP_REASON_CHARS_MAX]}..."


def reason_of(problem: MCPServerError) -> str:
    """Leave out the name of the server, which the sentence environment it says again."""
    return shorten_reason(str(problem).removeprefix(f"the MCP server {problem.server!r} "))
