"""The resource of a configured server: the URL its tokens are stored under and requested for."""

from urllib.parse import urlsplit

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth.addresses import may_carry_secrets


def resource_of(config: MCPServerConfig) -> str:
    """Return the normalized URL: scheme and host in lower case, no fragment."""
    from mcp.shared.auth_utils import resource_url_from_server_url

    return resource_url_from_server_url(config.url)


def check_resource(config: MCPServerConfig) -> str:
    """Return the resource if the server allows a sign-in, or raise."""
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
    """Return the resource as browsers and authorization servers may see it.

    The query is left out: it often holds a key, and RFC 8707 allows none.
    """
    return urlsplit(resource)._replace(query="").geturl()


def covers(granted: str, wanted: str) -> bool:
    """Return whether tokens granted for one resource may be used at another (RFC 8707)."""
    from mcp.shared.auth_utils import check_resource_allowed

    return check_resource_allowed(requested_resource=wanted, configured_resource=granted)
