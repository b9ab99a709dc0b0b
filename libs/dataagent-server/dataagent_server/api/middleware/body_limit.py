"""Refuses a body that is larger than allowed: by its announced length, or while it is received.

Uploads have a limit of their own; they are recognised by their content type, since the route is not
chosen yet. JSON routes refuse these content types.
"""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_server.common.errors import InvalidRequestError, PayloadTooLargeError

# The overhead of a multipart form around its file.
_FORM_BYTES = 64 * 1024
_LENGTH_DIGITS_MAX = 20
_UPLOADS = ("multipart/form-data", "application/octet-stream", "application/zip")


class BodyLimitMiddleware:
    """Counts the received bytes."""

    def __init__(self, app: ASGIApp, *, body_bytes_max: int, upload_bytes_max: int) -> None:
        self._app = app
        self._body_bytes_max = body_bytes_max
        self._upload_bytes_max = upload_bytes_max + _FORM_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        content_type = headers.get("content-type", "").lower()
        upload = content_type.startswith(_UPLOADS)
        bytes_max = self._upload_bytes_max if upload else self._body_bytes_max
        _check_length(headers.get("content-length"), bytes_max)
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > bytes_max:
                raise _too_large(bytes_max)
            return message

        await self._app(scope, counted, send)


def _check_length(announced: str | None, bytes_max: int) -> None:
    if announced is None:
        return
    if not announced.isascii() or not announced.isdigit():
        raise InvalidRequestError(f"Content-Length is {announced[:40]!r}, which is no number.")
    if len(announced) > _LENGTH_DIGITS_MAX or int(announced) > bytes_max:
        raise _too_large(bytes_max)


def _too_large(bytes_max: int) -> PayloadTooLargeError:
    return PayloadTooLargeError(
        f"The body is larger than the {bytes_max:,} bytes allowed here. Send less, or raise "
        "DATAAGENT_MAX_BODY_BYTES (for files DATAAGENT_MAX_UPLOAD_BYTES).",
        {"max_bytes": bytes_max},
    )
