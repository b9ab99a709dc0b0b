"""Turns a server's refusal into an error for the person, with the way out. Pure."""

import json
from typing import Any, cast

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.remote.limits import ERROR_CHARS_MAX
from dataagent_core import errors

_REDIRECT = range(300, 400)
# A proxy or the server itself is overloaded: a later attempt may succeed.
_LATER = frozenset({408, 425, 429, 502, 503, 504})


class NotSignedInError(errors.DataAgentError):
    """The server needs a key, or refuses this one."""

    code = "UNAUTHENTICATED"


class ServerAwayError(errors.DataAgentError):
    """The server cannot be reached, or is overloaded now."""

    code = "OVERLOADED"
    recoverable = True


class ServerFailedError(errors.DataAgentError):
    """The server failed, or is not a DataAgent server."""

    code = "INTERNAL"


# The same errors that core raises without a server.
_AS_LOCALLY: dict[str, type[errors.DataAgentError]] = {
    "VALIDATION_ERROR": errors.ValidationError,
    "CONFLICT": errors.ConflictError,
    "SESSION_BUSY": errors.SessionBusyError,
    "BUDGET_EXCEEDED": errors.BudgetExceededError,
    "LIMIT_REACHED": errors.LimitReachedError,
    "PATH_ESCAPE_ERROR": errors.PathEscapeError,
    "QUERY_REFUSED": errors.QueryRefusedError,
}

_WITH_A_WAY_OUT: dict[str, tuple[type[errors.DataAgentError], str]] = {
    "UNAUTHENTICATED": (NotSignedInError, "remote_not_signed_in"),
    "PERMISSION_DENIED": (errors.DeniedError, "remote_denied"),
    "NOT_FOUND": (errors.NotFoundError, "remote_not_found"),
    "WORKSPACE_NOT_FOUND": (errors.NotFoundError, "remote_not_found"),
    "RATE_LIMITED": (ServerAwayError, "remote_busy"),
    "OVERLOADED": (ServerAwayError, "remote_busy"),
    "CHECKPOINT_ERROR": (ServerAwayError, "remote_busy"),
}
_FAILED = (ServerFailedError, "remote_failed")


def make_away_error(url: str, reason: str, say: Messages) -> ServerAwayError:
    """Make the error of a server that does not answer."""
    return ServerAwayError(say("remote_away", url=url, reason=_short(reason)))


def make_refusal_error(
    status: int, body: bytes, url: str, say: Messages, location: str = ""
) -> errors.DataAgentError:
    """Make the error of a response: the server's own, or one of a proxy in between."""
    if status in _REDIRECT:
        return ServerFailedError(say("remote_redirect", url=url, location=_short(location)))
    code, text = _parse_error(body)
    if code is None:
        if status in _LATER:
            return ServerAwayError(say("remote_away", url=url, reason=f"HTTP {status}"))
        return ServerFailedError(say("remote_not_ours", url=url, status=status))
    return make_server_error(code, text, url, say, status=status)


def make_server_error(
    code: str, text: str, url: str, say: Messages, *, status: int = 0
) -> errors.DataAgentError:
    """Make an error from a server's code and text."""
    text = _short(text)
    if code in _AS_LOCALLY:
        return _AS_LOCALLY[code](text)
    failed = (ServerAwayError, "remote_busy") if status in _LATER else _FAILED
    kind, sentence = _WITH_A_WAY_OUT.get(code, failed)
    return kind(say(sentence, url=url, text=text))


def _parse_error(body: bytes) -> tuple[str | None, str]:
    try:
        data = json.loads(body)
    except ValueError:
        return None, ""
    if not isinstance(data, dict):
        return None, ""
    fields = cast("dict[str, Any]", data)
    code, text = fields.get("error_code"), fields.get("message")
    if not isinstance(code, str) or not isinstance(text, str):
        return None, ""
    return code, text


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= ERROR_CHARS_MAX else f"{line[:ERROR_CHARS_MAX]}…"
