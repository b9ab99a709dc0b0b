"""Where a redirect leads: the next request, as a pure function of the last one and the answer."""

from dataclasses import replace

import httpx

from dataagent_core.errors import ToolExecutionError
from dataagent_core.tools.web.headers import for_another_host, without_body
from dataagent_core.tools.web.message import SAFE_METHODS, WebRequest, WebResponse
from dataagent_core.tools.web.urls import parse_url, same_origin, shown_url

_KEEPING_THE_METHOD = frozenset({307, 308})
_REDIRECTS = frozenset({301, 302, 303}) | _KEEPING_THE_METHOD


def following(request: WebRequest, response: WebResponse) -> WebRequest | None:
    """Give the request a redirect asks for, or None if the answer is the last one."""
    location = response.header("location")
    if response.status not in _REDIRECTS or not location:
        return None
    try:
        url = parse_url(str(request.url.join(location)))
    except (httpx.InvalidURL, UnicodeError) as error:
        raise ToolExecutionError(
            f"{shown_url(request.url)} redirects to {location!r:.200}, which is not a URL."
        ) from error
    at_home = same_origin(request.url, url)
    changing = request.method not in SAFE_METHODS
    if changing and response.status in _KEEPING_THE_METHOD and not at_home:
        # What a person allowed was sending it to the first host.
        raise ToolExecutionError(
            f"{shown_url(request.url)} redirects this {request.method} to another host, "
            f"{shown_url(url)}. It was not sent there; call that URL if that is wanted."
        )
    if changing and response.status not in _KEEPING_THE_METHOD:
        headers = without_body(request.headers)
        request = replace(request, method="GET", headers=headers, body=None)
    headers = request.headers if at_home else for_another_host(request.headers)
    return replace(request, url=url, headers=headers)
