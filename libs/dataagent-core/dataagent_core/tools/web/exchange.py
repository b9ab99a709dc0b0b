"""One request and its answer on a connection of its own, with httpcore's errors made ours.

httpcore is used by itself: it has no cookies, no proxies from the environment, no redirects and
no unpacking, so there is nothing to switch off. A fresh connection each time means that nothing is
shared between runs, people or event loops.
"""

import ssl

import httpcore

from dataagent_core.config.limits import WEB_CONNECT_S, WEB_RESPONSE_BYTES_MAX
from dataagent_core.errors import ToolExecutionError
from dataagent_core.tools.web.body import ACCEPTED_ENCODINGS, BoundedBody
from dataagent_core.tools.web.content import is_text, media_type
from dataagent_core.tools.web.headers import USER_AGENT, Headers
from dataagent_core.tools.web.message import WebRequest, WebResponse
from dataagent_core.tools.web.urls import shown_url

_DEFAULTS = (("User-Agent", USER_AGENT), ("Accept", "*/*"))
_FAILURES = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
)


async def exchange(
    request: WebRequest, backend: httpcore.AsyncNetworkBackend, tls: ssl.SSLContext
) -> WebResponse:
    """Send one request and read its answer; the caller bounds the whole time."""
    pool = httpcore.AsyncConnectionPool(
        ssl_context=tls, max_connections=1, max_keepalive_connections=0, network_backend=backend
    )
    try:
        async with (
            pool,
            pool.stream(
                request.method,
                _target(request),
                headers=_sent(request),
                content=request.body,
                extensions={"timeout": {"connect": WEB_CONNECT_S}},
            ) as answer,
        ):
            return await _read(request, answer)
    except _FAILURES as error:
        kind = type(error).__name__
        raise ToolExecutionError(
            f"{request.method} {shown_url(request.url)} failed ({kind}): {str(error) or kind}. "
            "Check the address, or try again later.",
            retryable=True,
        ) from error


async def _read(request: WebRequest, answer: httpcore.Response) -> WebResponse:
    headers = tuple((_text(name), _text(value)) for name, value in answer.headers)
    response = WebResponse(
        method=request.method,
        url=request.url,
        status=answer.status,
        headers=headers,
        body=None,
        cut=False,
    )
    if not is_text(media_type(response.header("content-type"))):
        return response
    body = BoundedBody(response.header("content-encoding"), WEB_RESPONSE_BYTES_MAX)
    async for piece in answer.aiter_stream():
        if not body.feed(piece):
            break
    return WebResponse(
        method=request.method,
        url=request.url,
        status=answer.status,
        headers=headers,
        body=body.content(),
        cut=body.cut,
    )


def _target(request: WebRequest) -> httpcore.URL:
    url = request.url
    return httpcore.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )


def _sent(request: WebRequest) -> Headers:
    chosen = {name.lower() for name, _ in request.headers}
    defaults = tuple((name, value) for name, value in _DEFAULTS if name.lower() not in chosen)
    host = ("Host", request.url.netloc.decode("ascii"))
    return (host, *defaults, ("Accept-Encoding", ACCEPTED_ENCODINGS), *request.headers)


def _text(raw: bytes) -> str:
    return raw.decode("latin-1")
