"""Which addresses a tenant's MCP servers may be dialled at: the same as for its models."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dataagent_core.config.limits.mcp import MCP_AUTH_REQUEST_S
from dataagent_core.errors import ToolExecutionError
from dataagent_core.sandbox.network.addresses import Address
from dataagent_core.tools.web.web_policy import WebPolicy
from dataagent_server.agents.credentials.base_url_check import why_not

if TYPE_CHECKING:
    import httpx2

Dialable = Callable[[str, int, Sequence[Address]], Sequence[Address]]


def dialable_by_tenants(policy: WebPolicy) -> Dialable:
    """Make the rule for every connection: one forbidden address refuses the name."""

    def dialable(host: str, port: int, addresses: Sequence[Address]) -> Sequence[Address]:
        vouched = (host.lower().rstrip("."), port) in policy.vouched
        if reason := why_not(addresses, vouched=vouched):
            raise ToolExecutionError(f"{host!r} {reason}; it is not asked.")
        return list(addresses)

    return dialable


def clients_for_sign_ins(dialable: Dialable) -> "Callable[[], httpx2.AsyncClient]":
    """Make the HTTP clients for sign-ins and token renewal, under the same rule."""

    def client() -> "httpx2.AsyncClient":
        from dataagent_core.mcp.transports.http.http_client import BoundedClient

        return BoundedClient(dialable, timeout=MCP_AUTH_REQUEST_S)

    return client
