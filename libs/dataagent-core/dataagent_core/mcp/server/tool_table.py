"""The scopes a caller can have, and the served tools with the scope and time each needs.

Both lists are closed. A tool's description, arguments and work are those of the agent (`tools/`).
"""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from dataagent_core.config.limits.mcp import (
    MCP_SERVED_ASK_S,
    MCP_SERVED_CALL_S,
    MCP_SERVED_FILE_S,
    MCP_SERVED_QUERY_S,
)

Scope = Literal[
    "data:read", "data:write", "files:read", "files:write", "sessions:read", "agent:run"
]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
EVERY_SCOPE: Final[frozenset[Scope]] = frozenset(SCOPES)
# Scopes that change nothing.
READ_SCOPES: Final[frozenset[Scope]] = frozenset({"data:read", "files:read", "sessions:read"})


def scopes_in(names: object) -> frozenset[Scope]:
    """Select the names that are scopes of ours."""
    given = names if isinstance(names, (list, tuple, set, frozenset)) else ()
    return frozenset(scope for scope in SCOPES if scope in given)


@dataclass(frozen=True, slots=True)
class ServedToolRow:
    """The scope a caller must have, and the seconds after which a call is given up."""

    scope: Scope
    timeout_s: float


_LOOK = ServedToolRow("data:read", MCP_SERVED_CALL_S)
_QUERY = ServedToolRow("data:read", MCP_SERVED_QUERY_S)
_READ = ServedToolRow("files:read", MCP_SERVED_FILE_S)
_WRITE = ServedToolRow("files:write", MCP_SERVED_FILE_S)
SERVED: Final[dict[str, ServedToolRow]] = {
    "data_list_sources": _LOOK,
    "data_search_catalog": _LOOK,
    "data_describe": _QUERY,
    "sql_check": _LOOK,
    "sql_query": _QUERY,
    "metric_query": _QUERY,
    "result_page": _LOOK,
    "result_export": _QUERY,
    "chart_create": _QUERY,
    "report_create": _QUERY,
    "sql_write": ServedToolRow("data:write", MCP_SERVED_QUERY_S),
    "read_file": _READ,
    "ls": _READ,
    "glob": _READ,
    "grep": _READ,
    "write_file": _WRITE,
    "edit_file": _WRITE,
}
ASK_AGENT: Final = "ask_agent"
ASKED: Final = ServedToolRow("agent:run", MCP_SERVED_ASK_S)
