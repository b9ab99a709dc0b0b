"""Keeps the names of a query string and none of its values. Pure.

Secrets in other texts are masked by `dataagent_core.secrets.secret_text`.
"""

from dataagent_core.secrets.secret_text import MASK


def redact_query(query: str) -> str:
    """Keep only the names of a query string: values may be tickets, tokens or people's words."""
    if not query:
        return ""
    names = [part.partition("=")[0] for part in query.split("&")]
    return "&".join(f"{name}={MASK}" for name in names)
