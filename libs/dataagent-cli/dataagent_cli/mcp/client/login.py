"""`mcp login` and `mcp logout`, and the sign-in while a run waits.

The sign-in happens in a browser, which redirects to a port of this machine.
"""

import os
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.approval.sign_in import SignInAt
from dataagent_cli.mcp.client.connection import person
from dataagent_cli.mcp.config.project_question import somebody_is_there
from dataagent_cli.mcp.config.servers import server_to_use
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.mcp.configuration.variables import expand_variables

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
    from dataagent_core.mcp.oauth import OAuthTokens, SignIn


async def log_in(
    app: App, workspace: Path, name: str, *, scopes: str, browser: bool, as_json: bool
) -> None:
    """Sign the person in at a server."""
    server = await _find_server(app, workspace, name)
    tokens = await _run_sign_in(app, server, scopes, browser=browser)
    if as_json:
        write_document({"name": name, "signed_in": True, "scope": tokens.scope})
    else:
        app.output.note(app.say("mcp_signed_in", name=name))
        app.output.note(app.say("mcp_next_test", name=name), dim=True)


def make_sign_in(app: App, servers: "MCPConfig") -> SignInAt:
    """Return the function that signs the person in at one of a run's servers."""

    async def sign_in(name: str, scopes: str, browser: bool) -> None:
        found = [server for server in servers.servers if server.name == name]
        if not found:
            raise NotFoundError(app.say("mcp_no_server", name=name, guess=""))
        await _run_sign_in(app, expand_variables(found[0], os.environ), scopes, browser=browser)

    return sign_in


async def _run_sign_in(
    app: App, server: "MCPServerConfig", scopes: str, *, browser: bool
) -> "OAuthTokens":
    from dataagent_core.mcp.oauth import sign_in_here

    return await sign_in_here(
        _make_sign_in(app),
        person(),
        server,
        open_browser=webbrowser.open if browser else None,
        show=lambda text: app.output.note(app.say.translate(sanitize_text(text))),
        paste=_make_paste_reader(app),
        scopes=scopes,
    )


async def log_out(app: App, workspace: Path, name: str, as_json: bool) -> None:
    """Delete the person's tokens, and ask the server to revoke them."""
    server = await _find_server(app, workspace, name)
    revoked = await _make_sign_in(app).sign_out(person(), server)
    if as_json:
        write_document({"name": name, "signed_in": False, "revoked": revoked})
    else:
        app.output.note(app.say("mcp_signed_out", name=name))


async def _find_server(app: App, workspace: Path, name: str) -> "MCPServerConfig":
    server = await server_to_use(app, workspace, name)
    if server.transport == "stdio":
        raise ValidationError(app.say("mcp_no_sign_in", name=name))
    return expand_variables(server, os.environ)


def _make_sign_in(app: App) -> "SignIn":
    from dataagent_core.mcp.local import local_tokens
    from dataagent_core.mcp.oauth import MemoryFlows, SignIn

    return SignIn(store=local_tokens(app.settings), flows=MemoryFlows())


def _make_paste_reader(app: App) -> "Callable[[], Awaitable[str]] | None":
    if not somebody_is_there(app):
        return None
    keyboard = Keyboard(sys.stdin.fileno())

    async def paste() -> str:
        return await keyboard.line() or ""

    return paste
