"""Which tools are served, what each needs, and how long it may take. Closed: the rest is not.

What a tool is for, its arguments and its work are the agent's own tool's (`tools/`).
"""

from dataclasses import dataclass
from typing import Final

from dataagent_core.config.limits.mcp import (
    MCP_SERVED_ASK_S,
    MCP_SERVED_CALL_S,
    MCP_SERVED_FILE_S,
    MCP_SERVED_QUERY_S,
)
from dataagent_core.mcp.server.scopes import Scope


@dataclass(frozen=True, slots=True)
class ServedToolRow:
    """What a caller must have, and the seconds after which a call is given up."""

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
