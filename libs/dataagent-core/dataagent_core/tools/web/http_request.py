"""`http_request`: any request to any allowed address, the answer as it came."""

from collections.abc import Mapping
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits import WEB_REQUEST_S, WEB_RESPONSE_HEADERS_SHOWN_CHARS_MAX
from dataagent_core.permissions.taint import external_metadata
from dataagent_core.tools.definition.tool_factory import make_tool
from dataagent_core.tools.effects import Effect, effect_metadata
from dataagent_core.tools.web.response_report import describe_unshown, render_response
from dataagent_core.tools.web.response_text import decode_body
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_message import SAFE_METHODS, WebResponse


def find_http_effect(args: Mapping[str, Any]) -> Effect:
    """State what one call does; the tool as a whole must state its worst."""
    method = str(args.get("method") or "GET").upper()
    return "pure" if method in SAFE_METHODS else "irreversible"


def make_http_request(client: WebClient) -> BaseTool:
    """Make the tool that sends with this client."""

    async def http_request(
        url: Annotated[str, Field(description="An http or https address")],
        method: Annotated[str, Field(description="GET, HEAD, POST, PUT, PATCH, DELETE")] = "GET",
        headers: Annotated[dict[str, str] | None, Field(description="Request headers")] = None,
        body: Annotated[str | None, Field(description="Text to send; JSON as a string")] = None,
        timeout_s: Annotated[float, Field(description="Seconds it may take")] = WEB_REQUEST_S,
    ) -> str:
        """Send one HTTP request and show status, headers and body of the answer."""
        response = await client.request(
            url,
            method=method,
            headers=headers,
            body=None if body is None else body.encode("utf-8", "replace"),
            timeout_s=timeout_s,
        )
        return render_response(response, _headers_shown(response), _body_shown(response))

    return make_tool(http_request, effect_metadata("irreversible") | external_metadata())


def _headers_shown(response: WebResponse) -> str:
    lines = "\n".join(f"{name}: {value}" for name, value in response.headers)
    return lines[:WEB_RESPONSE_HEADERS_SHOWN_CHARS_MAX]


def _body_shown(response: WebResponse) -> str:
    if response.body is None:
        return "" if response.method == "HEAD" else describe_unshown(response)
    return decode_body(response.body, response.header("content-type"))
