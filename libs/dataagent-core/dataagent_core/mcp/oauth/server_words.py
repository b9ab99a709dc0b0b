"""Cleans text of a server for messages: one line, printable, short."""

import re

from dataagent_core.config.limits.mcp import MCP_AUTH_SAID_CHARS_MAX, MCP_AUTH_SCOPE_CHARS_MAX

# RFC 6749 §3.3: printable ASCII without quotes and backslashes, separated by spaces.
_NOT_SCOPE = re.compile(r"[^\x21\x23-\x5b\x5d-\x7e]+")


def clean_words(text: str) -> str:
    """Clean a server's text."""
    words = "".join(char if char.isprintable() else " " for char in text).split()
    line = " ".join(words)
    if len(line) > MCP_AUTH_SAID_CHARS_MAX:
        line = f"{line[:MCP_AUTH_SAID_CHARS_MAX]}..."
    return line


def scopes(*texts: str | None) -> str:
    """Join scopes, each once and in order; invalid ones and those beyond the limit are left out.

    Scopes granted before stay when more are requested (SEP-2350).
    """
    seen: dict[str, None] = {}
    for text in texts:
        for scope in _NOT_SCOPE.split(text or ""):
            joined = " ".join([*seen, scope])
            if scope and len(joined) <= MCP_AUTH_SCOPE_CHARS_MAX:
                seen[scope] = None
    return " ".join(seen)
