"""Adds the next step to an error of an MCP server, as one sentence."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager

from dataagent_cli.mcp.config.redaction import redact_location
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import App
from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.config import MCPServerConfig


@contextmanager
def with_next_step(app: App, server: MCPServerConfig) -> Generator[None]:
    """Add the next step to an error of the server that passes through."""
    try:
        yield
    except MCPServerError as error:
        if step := _next_step(app, server, error):
            error.for_person = app.say("mcp_next", error=error, text=step)
        raise


def _next_step(app: App, server: MCPServerConfig, error: MCPServerError) -> str | None:
    if isinstance(error, SignInNeededError):
        return app.say("mcp_next_sign_in", name=server.name)
    place = one_line(redact_location(server))
    if server.transport != "stdio":
        return app.say("mcp_next_url", place=place)
    # A missing program cannot be run; the error says so.
    return app.say("mcp_next_command", place=place) if shutil.which(server.command) else None
