"""FastMCP as we take it: it reads no `.env` of the current folder and has no log handlers.

Import this before anything of `fastmcp`: it reads its settings when it is first imported.
"""

import logging
import os
from typing import Any, Final

_OURS: Final = {"FASTMCP_ENV_FILE": os.devnull, "FASTMCP_LOG_ENABLED": "false"}


def _imported() -> Any:
    before = {name: os.environ.get(name) for name in _OURS}
    os.environ.update(_OURS)
    try:
        from fastmcp import FastMCP

        return FastMCP
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


make_fastmcp: Final = _imported()


class _Defects(logging.Filter):
    """Lets defects through; what a client did wrong is in the record of its call."""

    def filter(self, record: logging.LogRecord) -> bool:
        from fastmcp.exceptions import FastMCPError
        from mcp.shared.exceptions import MCPError

        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, (FastMCPError, MCPError))


logging.getLogger("fastmcp.server.server").addFilter(_Defects())
