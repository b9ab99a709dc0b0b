"""FastMCP without the `.env` of the current folder and without log handlers.

FastMCP reads its settings when it is first imported, so this module is imported before it.
"""

import logging
import os
from typing import Any, Final

_SETTINGS: Final = {"FASTMCP_ENV_FILE": os.devnull, "FASTMCP_LOG_ENABLED": "false"}


def _import_fastmcp() -> Any:
    before = {name: os.environ.get(name) for name in _SETTINGS}
    os.environ.update(_SETTINGS)
    try:
        from fastmcp import FastMCP

        return FastMCP
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


make_fastmcp: Final = _import_fastmcp()


class _ClientErrorFilter(logging.Filter):
    """Drops what a client did wrong, which the call ledger holds; defects are logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        from fastmcp.exceptions import FastMCPError
        from mcp.shared.exceptions import MCPError

        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, (FastMCPError, MCPError))


logging.getLogger("fastmcp.server.server").addFilter(_ClientErrorFilter())
