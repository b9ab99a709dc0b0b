"""The form of an error: `{"error_code", "message", "details", "request_id"}`. Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from dataagent_core.errors import DataAgentError
from dataagent_server.common.error_table import PUBLIC_MESSAGES, mapping_of
from dataagent_server.common.host_paths import hide_host_paths
from dataagent_server.common.logs.request_id import current_request_id


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An error, ready for HTTP or for the denial of a WebSocket."""

    status: int
    websocket_close: int
    body: bytes
    headers: Mapping[str, str]


def make_error_answer(error: BaseException, home: str = "") -> ErrorAnswer:
    """Return the answer for the client; the text of a defect is only logged.

    `home` is the folder of this server's files, which is not shown.
    """
    code = error.code if isinstance(error, DataAgentError) else "INTERNAL"
    message = PUBLIC_MESSAGES.get(code) or hide_host_paths(str(error), home) or code
    mapping = mapping_of(code)
    headers = {"content-type": "application/json"}
    if (seconds := getattr(error, "retry_after_s", None)) is not None:
        headers["retry-after"] = str(max(1, math.ceil(seconds)))
    if code == "UNAUTHENTICATED":
        headers["www-authenticate"] = "Bearer"
    headers |= getattr(error, "headers", None) or {}
    body = make_error_body(code, message, getattr(error, "details", None))
    return ErrorAnswer(mapping.http_status, mapping.websocket_close, body, headers)


def make_error_body(code: str, message: str, details: Mapping[str, Any] | None) -> bytes:
    """Write the body; the request id is that of the current request."""
    fields = {
        "error_code": code,
        "message": message,
        "details": details,
        "request_id": current_request_id.get(),
    }
    try:
        return orjson.dumps(fields, default=str, option=orjson.OPT_NON_STR_KEYS)
    except (TypeError, orjson.JSONEncodeError):  # a lone surrogate, or a number too large
        safe = {k: ascii(v)[1:-1] if isinstance(v, str) else v for k, v in fields.items()}
        return orjson.dumps(safe | {"details": None})
