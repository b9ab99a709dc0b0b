"""Which resource a configured server is: the URL its tokens are stored under and asked for."""

from urllib.parse import urlsplit

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth.addresses import may_carry_secrets


def resource_of(config: MCPServerConfig) -> str:
    """Give the URL as it is compared: scheme and host in small letters, no fragment."""
    from mcp.shared.auth_utils import resource_url_from_server_url

    return resource_url_from_server_url(config.url)


def check_resource(config: MCPServerConfig) -> str:
    """Give the resource of a server one may sign in at."""
    resource = resource_of(config)
    if config.transport in ("http", "sse") and may_carry_secrets(resource, near=resource):
        return resource
    raise MCPServerError(
        config.name,
        f"at {render_resource_name(config.url)!r} over {config.transport!r} is none to "
        "sign in at: that "
        "needs an https address (or http on this machine) with the transport http or sse.",
    )


def render_resource_name(resource: str) -> str:
    """Give the resource as browsers and authorization servers may see it.

    A query often holds a key, of a server that others share too; RFC 8707 wants none.
    """
    return urlsplit(resource)._replace(query="").geturl()


def covers(granted: str, wanted: str) -> bool:
    """Say whether what was granted for one resource may be used at another (RFC 8707)."""
    from mcp.shared.auth_utils import check_resource_allowed

    return check_resource_allowed(requested_resource=wanted, configured_resource=granted)
