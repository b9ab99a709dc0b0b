"""The id of the request being served, for log lines and errors (S0 property 35).

Set by `api/middleware/request_id.py`; empty outside a request.
"""

import re
import uuid
from contextvars import ContextVar
from typing import Final

from dataagent_server.settings.limits import REQUEST_ID_CHARS_MAX

current_request_id: ContextVar[str] = ContextVar("request_id", default="")

_SANE: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._:-]{{0,{REQUEST_ID_CHARS_MAX - 1}}}\Z")


def choose_request_id(value: str | None) -> str:
    """Return a client's own id if it is harmless in logs and headers, else a new one."""
    return value if value is not None and _SANE.match(value) else uuid.uuid4().hex
