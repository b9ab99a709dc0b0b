"""Removes secrets from text before it is logged. Pure.

A last resort: no code should log a secret. It recognises headers, query values, passwords inside
URLs, and keys of providers and of this server.
"""

import re
from typing import Final

MASK: Final = "***"

_NAMES: Final = (
    r"authorization|proxy-authorization|x-api-key|x-csrf-token|set-cookie|cookie|api[-_]?keys?|"
    r"access_token|refresh_token|id_token|token|ticket|password|passwd|secret|client_secret"
)
_PATTERNS: Final = (
    # A header, a JSON or a Python field: its name, then everything up to the end of the value.
    (
        re.compile(
            rf"(?i)(['\"]?\b(?:{_NAMES})['\"]?\s*:\s*)(b?'[^'\n]*'|b?\"[^\"\n]*\"|[^\s,}}][^\n,}}]*)"
        ),
        rf"\1{MASK}",
    ),
    # A value in a query string or a form.
    (re.compile(rf"(?i)\b((?:{_NAMES}|key|code|state)=)[^&\s\"'#;,]+"), rf"\1{MASK}"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{4,}"), rf"\1 {MASK}"),
    (re.compile(r"(?<=://)([^/@\s:]*):([^/@\s]*)@"), rf"\1:{MASK}@"),
    (re.compile(r"\b(?:sk|pk|da|tvly)[-_][A-Za-z0-9_-]{8,}"), MASK),
)


def redact(text: str) -> str:
    """Replace what looks like a secret by a mask."""
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def redact_query(query: str) -> str:
    """Keep only the names of a query string: values may be tickets, tokens or people's words."""
    if not query:
        return ""
    names = [part.partition("=")[0] for part in query.split("&")]
    return "&".join(f"{name}={MASK}" for name in names)
