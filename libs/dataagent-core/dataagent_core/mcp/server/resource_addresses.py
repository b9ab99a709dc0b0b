"""The addresses of what is served as resources."""

from typing import Final
from urllib.parse import quote

SESSIONS: Final = "dataagent://sessions"
SESSION: Final = "dataagent://sessions/{session_id}"
RESULT: Final = "dataagent://results/{result_id}"
RESULT_PAGE: Final = "dataagent://results/{result_id}{?offset,limit,format}"
FILE: Final = "dataagent://files/{path*}"


def session_address(session_id: str) -> str:
    """Name a session."""
    return SESSION.format(session_id=session_id)


def result_address(result_id: str) -> str:
    """Name a result."""
    return RESULT.format(result_id=result_id)


def file_address(path: str) -> str:
    """Name a file of the workspace that a tool made."""
    return f"dataagent://files/{quote(path.lstrip('/'), safe='/')}"


def session_of_address(address: str) -> str | None:
    """Say which session an address names."""
    _, begins, session_id = address.partition(f"{SESSIONS}/")
    return session_id if begins and "/" not in session_id else None
