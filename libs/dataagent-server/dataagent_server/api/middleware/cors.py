"""CORS for the configured origins: Starlette's, with our form of errors on a preflight."""

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from dataagent_core.errors import DeniedError
from dataagent_server.api.middleware.errors.error_body import make_error_answer

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
REQUEST_HEADERS = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "Last-Event-ID",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
    "X-API-Key",
    "X-CSRF-Token",
    "X-Request-ID",
)
ANSWER_HEADERS = ("Mcp-Session-Id", "Retry-After", "WWW-Authenticate", "X-Request-ID")
_REFUSED_STATUS = 400


class CorsMiddleware(CORSMiddleware):
    """Answers a refused preflight in JSON."""

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if response.status_code != _REFUSED_STATUS:
            return response
        reason = bytes(response.body).decode()
        answer = make_error_answer(DeniedError(f"{reason}: see DATAAGENT_CORS_ORIGINS."))
        kept = {k: v for k, v in response.headers.items() if not k.startswith("content-")}
        return Response(answer.body, answer.status, kept | dict(answer.headers))
