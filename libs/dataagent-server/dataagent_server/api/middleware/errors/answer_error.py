"""The exception handler of the application: an error becomes an answer in the one form.

A WebSocket's errors pass on to `ErrorsMiddleware`, which knows whether it was accepted.
"""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dataagent_server.api.middleware.errors.error_body import answer_of
from dataagent_server.api.middleware.errors.framework_errors import own_error
from dataagent_server.api.middleware.errors.last_resort import log_error

_NO_BODY = frozenset({204, 304})


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer a request that went wrong."""
    own = own_error(error, request)
    if request.scope["type"] == "websocket":
        raise own
    if isinstance(error, HTTPException) and error.status_code in _NO_BODY:
        return Response(status_code=error.status_code, headers=error.headers)
    log_error(own)
    answer = answer_of(own, str(request.app.state.settings.home))
    return Response(answer.body, answer.status, dict(answer.headers))
