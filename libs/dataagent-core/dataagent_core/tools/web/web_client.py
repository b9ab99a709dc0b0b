"""`WebClient`: the only outgoing connection of the web tools.

It follows redirects itself, so that every hop is parsed, checked and stripped like the first
request, all within one deadline. `follow_redirect` is a pure function from the last request and its
response to the next request.
"""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import httpx

from dataagent_core.config.limits import WEB_REDIRECTS_MAX, WEB_REQUEST_S, WEB_REQUEST_S_MAX
from dataagent_core.config.settings import Settings
from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.tools.web.http_exchange import exchange_http
from dataagent_core.tools.web.request_headers import (
    check_headers,
    drop_body_headers,
    drop_private_headers,
)
from dataagent_core.tools.web.urls import format_url, is_same_origin, parse_url
from dataagent_core.tools.web.web_message import SAFE_METHODS, WebRequest, WebResponse, check_method
from dataagent_core.tools.web.web_policy import WebPolicy, make_web_policy
from dataagent_core.tools.web.web_transport import GuardedBackend, Resolver, resolve_by_system

_KEEPING_THE_METHOD = frozenset({307, 308})
_REDIRECTS = frozenset({301, 302, 303}) | _KEEPING_THE_METHOD


def follow_redirect(request: WebRequest, response: WebResponse) -> WebRequest | None:
    """Give the request a redirect asks for, or None if the answer is the last one."""
    location = response.header("location")
    if response.status not in _REDIRECTS or not location:
        return None
    try:
        url = parse_url(str(request.url.join(location)))
    except (httpx.InvalidURL, UnicodeError) as error:
        raise ToolExecutionError(
            f"{format_url(request.url)} redirects to {location!r:.200}, which is not a URL."
        ) from error
    at_home = is_same_origin(request.url, url)
    changing = request.method not in SAFE_METHODS
    if changing and response.status in _KEEPING_THE_METHOD and not at_home:
        # What a person allowed was sending it to the first host.
        raise ToolExecutionError(
            f"{format_url(request.url)} redirects this {request.method} to another host, "
            f"{format_url(url)}. It was not sent there; call that URL if that is wanted."
        )
    if changing and response.status not in _KEEPING_THE_METHOD:
        headers = drop_body_headers(request.headers)
        request = replace(request, method="GET", headers=headers, body=None)
    headers = request.headers if at_home else drop_private_headers(request.headers)
    return replace(request, url=url, headers=headers)


class WebClient:
    """Sends requests that the policy allows; holds no connection and no cookie."""

    def __init__(
        self,
        policy: WebPolicy,
        *,
        resolver: Resolver = resolve_by_system,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._policy = policy
        self._backend = GuardedBackend(policy, resolver)
        self._given_tls = tls

    @classmethod
    def from_settings(cls, settings: Settings) -> "WebClient":
        """Make the client the operator's settings describe."""
        return cls(make_web_policy(settings))

    async def request(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        timeout_s: float = WEB_REQUEST_S,
    ) -> WebResponse:
        """Send a request and follow where it leads; the answer is the last one."""
        if not 0 < timeout_s <= WEB_REQUEST_S_MAX:
            raise ValidationError(
                f"timeout_s is {timeout_s}; give more than 0 and at most {WEB_REQUEST_S_MAX:g}."
            )
        request = WebRequest(
            method=check_method(method, body),
            url=parse_url(url),
            headers=check_headers(headers or {}),
            body=body,
        )
        try:
            async with asyncio.timeout(timeout_s):
                return await self._follow(request)
        except TimeoutError as error:
            raise ToolExecutionError(
                f"{request.method} {format_url(request.url)} took longer than {timeout_s:g} s. "
                f"Give a larger timeout_s (at most {WEB_REQUEST_S_MAX:g}), or another address."
            ) from error

    async def _follow(self, request: WebRequest) -> WebResponse:
        first = request.url
        for _ in range(WEB_REDIRECTS_MAX + 1):
            self._policy.check_port(request.url)
            response = await exchange_http(request, self._backend, self._tls)
            following_request = follow_redirect(request, response)
            if following_request is None:
                return response
            request = following_request
        raise ToolExecutionError(
            f"{format_url(first)} redirects more than {WEB_REDIRECTS_MAX} times, last to "
            f"{format_url(request.url)}. It may be a loop; use another address."
        )

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # SSL_CERT_FILE counts: it is how an operator names the authority of their own network.
        return self._given_tls or httpx.create_ssl_context()
