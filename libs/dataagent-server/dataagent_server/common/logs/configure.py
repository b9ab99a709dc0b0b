"""Configures where log lines go and their format; called once per process."""

import logging
import sys
from typing import Literal

from dataagent_server.common.logs.background_handler import BackgroundHandler
from dataagent_server.common.logs.formats import JsonLines, PlainLines

# Libraries that log more than an operator needs.
_QUIET = (
    "uvicorn.error",
    "httpx",
    "httpcore",
    "alembic",
    "sqlalchemy.engine",
    "asyncio",
    "urllib3",
)


def configure_logs(
    level: str = "info", form: Literal["auto", "json", "text"] = "auto"
) -> logging.Handler:
    """Send all log lines to standard error; the returned handler must be closed at exit."""
    words = form == "text" or (form == "auto" and sys.stderr.isatty())
    handler = BackgroundHandler(sys.stderr)
    handler.setFormatter(PlainLines() if words else JsonLines())
    root = logging.getLogger()
    for old in list(root.handlers):
        if isinstance(old, BackgroundHandler):
            root.removeHandler(old)
            old.close()
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    return handler
