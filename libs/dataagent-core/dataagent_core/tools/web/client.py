"""`WebClient`: the only way out of the web tools.

Follows redirects by hand, so that every hop is read, checked and stripped like the first, and keeps
the whole of it within one span of time.
"""

import asyncio
import ssl
from collections.abc import Mapping
from functools import cached_property

import httpx

from dataagent_core.config.limits import WEB_REDIRECTS_MAX, WEB_REQUEST_S, WEB_REQUEST_S_MAX
from dataagent_core.config.settings import Settings
from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.tools.web.exchange import exchange
from dataagent_core.tools.web.headers import checked
from dataagent_core.tools.web.message import WebRequest, WebResponse, checked_method
from dataagent_core.tools.web.policy import WebPolicy, policy_from
from dataagent_core.tools.web.redirects import following
from dataagent_core.tools.web.transport import GuardedBackend, Resolver, system_resolver
from dataagent_core.tools.web.urls import parse_url, shown_url


class WebClient:
    """Sends requests that the policy allows; holds no connection and no cookie."""

    def __init__(
        self,
        policy: WebPolicy,
        *,
        resolver: Resolver = system_resolver,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._policy = policy
        self._backend = GuardedBackend(policy, resolver)
        self._given_tls = tls

    @classmethod
    def from_settings(cls, settings: Settings) -> "WebClient":
        """Make the client the operator's settings describe."""
        return cls(policy_from(settings))

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
            method=checked_method(method, body),
            url=parse_url(url),
            headers=checked(headers or {}),
            body=body,
        )
        try:
            async with asyncio.timeout(timeout_s):
                return await self._follow(request)
        except TimeoutError as error:
            raise ToolExecutionError(
                f"{request.method} {shown_url(request.url)} took longer than {timeout_s:g} s. "
                f"Give a larger timeout_s (at most {WEB_REQUEST_S_MAX:g}), or another address."
            ) from error

    async def _follow(self, request: WebRequest) -> WebResponse:
        first = request.url
        for _ in range(WEB_REDIRECTS_MAX + 1):
            self._policy.check_port(request.url)
            response = await exchange(request, self._backend, self._tls)
            following_request = following(request, response)
            if following_request is None:
                return response
            request = following_request
        raise ToolExecutionError(
            f"{shown_url(first)} redirects more than {WEB_REDIRECTS_MAX} times, last to "
            f"{shown_url(request.url)}. It may be a loop; use another address."
        )

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # SSL_CERT_FILE counts: it is how an operator names the authority of their own network.
        return self._given_tls or httpx.create_ssl_context()
