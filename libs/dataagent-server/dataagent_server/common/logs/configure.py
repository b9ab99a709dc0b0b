"""Choosing where log lines go and how they look; called once by whoever owns the process."""

import logging
import sys
from typing import Literal

from dataagent_server.common.logs.background_handler import BackgroundHandler
from dataagent_server.common.logs.formats import JsonLines, PlainLines

# Libraries that speak more than an operator wants to hear.
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
    """Send every logger's lines to standard error; the handler returned must be closed at exit."""
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
