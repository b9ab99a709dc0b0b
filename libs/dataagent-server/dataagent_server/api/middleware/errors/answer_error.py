"""The exception handler of the application: every error becomes an answer in one form.

Errors of FastAPI and Starlette are translated to our own (S0 property 25). Errors of a WebSocket
pass on to `ErrorsMiddleware`, which knows whether it was accepted.
"""

from collections.abc import Sequence
from typing import Any

from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Mount

from dataagent_core.errors import DataAgentError, DeniedError, NotFoundError
from dataagent_server.api.middleware.errors.error_body import make_error_answer
from dataagent_server.api.middleware.errors.last_resort import log_error
from dataagent_server.common.errors import (
    InvalidRequestError,
    MethodNotAllowedError,
    OverloadedError,
    PayloadTooLargeError,
    UnauthenticatedError,
    UnsupportedMediaError,
)
from dataagent_server.settings.limits import VALIDATION_PROBLEMS_SHOWN_MAX

_BY_STATUS: dict[int, type[DataAgentError]] = {
    401: UnauthenticatedError,
    403: DeniedError,
    404: NotFoundError,
    405: MethodNotAllowedError,
    413: PayloadTooLargeError,
    415: UnsupportedMediaError,
    503: OverloadedError,
}
_METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")
_JSON = ("application/json", "+json")


def translate_error(error: Exception, request: Request) -> Exception:
    """Translate an error of a framework to ours; other errors stay as they are."""
    match error:
        case RequestValidationError() if _has_wrong_type(request, error.errors()):
            shown = request.headers.get("content-type", "none")[:100]
            return UnsupportedMediaError(
                f"The body's content type is {shown!r}; send application/json."
            )
        case RequestValidationError() | WebSocketRequestValidationError():
            return _invalid_request(error.errors())
        case HTTPException(__cause__=DataAgentError() as cause):
            # FastAPI wraps errors raised while it read the body.
            return cause
        case HTTPException():
            return _translate_status(error, request)
        case _:
            return error


def _translate_status(error: HTTPException, request: Request) -> DataAgentError:
    kind = _BY_STATUS.get(error.status_code, InvalidRequestError)
    message = error.detail
    if kind is NotFoundError and message == "Not Found":
        message = f"There is nothing at {request.url.path[:200]!r}. See /api/docs."
    elif kind is MethodNotAllowedError:
        message = f"{request.method[:20]!r} is not possible at {request.url.path[:200]!r}."
    told = kind(message)
    headers = dict(error.headers or {})
    if kind is MethodNotAllowedError:
        headers["Allow"] = ", ".join(_list_methods(request))
    if headers:
        told.headers = headers  # pyright: ignore[reportAttributeAccessIssue]
    return told


def _list_methods(request: Request) -> list[str]:
    """List every method of a path: the framework names only those of the first matching route."""
    bare = {key: request.scope[key] for key in ("type", "path", "root_path", "headers")}
    routes = [route for route in request.app.routes if not isinstance(route, Mount)]
    return [
        method
        for method in _METHODS
        if any(route.matches({**bare, "method": method})[0] is Match.FULL for route in routes)
    ]


def _has_wrong_type(request: Request, problems: Sequence[Any]) -> bool:
    about_body = any(tuple(problem["loc"]) == ("body",) for problem in problems)
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    has_body = request.headers.get("content-length", "") != "0" and (
        "content-length" in request.headers or "transfer-encoding" in request.headers
    )
    return about_body and has_body and not content_type.endswith(_JSON)


def _invalid_request(problems: Sequence[Any]) -> InvalidRequestError:
    told = [
        {
            "field": ".".join(str(part) for part in problem["loc"]),
            "message": str(problem["msg"]).removeprefix("Value error, "),
            "type": problem["type"],
        }
        for problem in problems[:VALIDATION_PROBLEMS_SHOWN_MAX]
    ]
    first = f"{told[0]['field']}: {told[0]['message']}" if told else "it cannot be read"
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return InvalidRequestError(f"The request is not valid: {first}{more}.", {"errors": told})


_NO_BODY = frozenset({204, 304})


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer a failed request."""
    own = translate_error(error, request)
    if request.scope["type"] == "websocket":
        raise own
    if isinstance(error, HTTPException) and error.status_code in _NO_BODY:
        return Response(status_code=error.status_code, headers=error.headers)
    log_error(own)
    answer = make_error_answer(own, str(request.app.state.settings.home))
    return Response(answer.body, answer.status, dict(answer.headers))
