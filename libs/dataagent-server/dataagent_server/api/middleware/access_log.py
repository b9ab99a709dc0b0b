"""Logs and counts every request: one line when its answer ends, without secrets.

Headers are never logged, and of a query only the names. The metric carries the route's pattern, not
its path, so that ids do not create a time series each.
"""

import logging
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_server.api.middleware.probe_paths import is_probe
from dataagent_server.common.logs.redact import redact_query
from dataagent_server.common.metrics import Metrics
from dataagent_server.settings.limits import PATH_SHOWN_CHARS_MAX

logger = logging.getLogger("dataagent_server.access")

_CLIENT_CLOSED_STATUS = 499
_SERVER_ERROR_STATUS = 500
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class AccessLogMiddleware:
    """Observes the answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        seen: dict[str, Any] = {}

        async def watched(message: Message) -> None:
            if "status" not in seen:
                self._begin(scope, message, seen, began)
            await send(message)

        self._metrics.requests_active.inc()
        try:
            await self._app(scope, receive, watched)
        finally:
            self._metrics.requests_active.dec()
            self._end(scope, seen, began)

    def _begin(self, scope: Scope, message: Message, seen: dict[str, Any], began: float) -> None:
        match message["type"]:
            case "http.response.start" | "websocket.http.response.start":
                seen["status"] = message["status"]
            case "websocket.accept":
                seen["status"] = 101
            case "websocket.close":
                seen["status"] = 403
            case _:
                return
        spent_s = time.perf_counter() - began
        self._metrics.request_s.labels(_method_label(scope), route_of(scope)).observe(spent_s)

    def _end(self, scope: Scope, seen: dict[str, Any], began: float) -> None:
        status: int = seen.get("status", _CLIENT_CLOSED_STATUS)
        self._metrics.requests.labels(_method_label(scope), route_of(scope), str(status)).inc()
        level = logging.INFO
        if is_probe(scope["path"]):
            level = logging.DEBUG
        elif status >= _SERVER_ERROR_STATUS:
            level = logging.WARNING
        if logger.isEnabledFor(level):
            logger.log(level, "%s %s %d", _method_label(scope), _redact_path(scope), status, extra={
                "method": _method_label(scope),
                "path": _redact_path(scope),
                "status": status,
                "duration_ms": round((time.perf_counter() - began) * 1000, 1),
                "client": (scope.get("client") or ("",))[0],
                **scope["state"].get("log", {}),
            })  # fmt: skip


def route_of(scope: Scope) -> str:
    """Return the pattern of the route that took the request."""
    # FastAPI keeps the pattern with the prefixes of its routers next to the route.
    included = scope.get("fastapi", {}).get("effective_route_context")
    path = getattr(included, "path", None) or getattr(scope.get("route"), "path", None)
    return path or "unmatched"


def _method_label(scope: Scope) -> str:
    if scope["type"] == "websocket":
        return "WEBSOCKET"
    # A client may send any word as a method; it must not create a label.
    return scope["method"] if scope["method"] in _METHODS else "OTHER"


def _redact_path(scope: Scope) -> str:
    query = redact_query(scope.get("query_string", b"").decode("latin-1"))
    path = ascii(scope["path"])[1:-1]
    return f"{path}?{query}"[:PATH_SHOWN_CHARS_MAX] if query else path[:PATH_SHOWN_CHARS_MAX]
