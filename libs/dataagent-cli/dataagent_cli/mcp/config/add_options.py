"""Turns the options of `mcp add` into a server's configuration. Pure, except for reading paths."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dataagent_cli.wiring import App
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.config import MCPServerConfig, OAuthSettings, TransportKind
from dataagent_core.mcp.configuration.config_check import check_server
from dataagent_core.sandbox.port import Network

_DIVIDERS = re.compile(r"[=:]")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRequest:
    """The options the person typed."""

    name: str
    command: str | None
    words: tuple[str, ...]
    url: str | None
    transport: TransportKind | None
    env: tuple[str, ...]
    headers: tuple[str, ...]
    network: Network | None
    hosts: tuple[str, ...]
    read: tuple[str, ...]
    write: tuple[str, ...]
    timeout_s: int
    client_id: str | None
    client_secret: str | None
    scopes: tuple[str, ...]
    disabled: bool


def build_server(app: App, request: AddRequest) -> MCPServerConfig:
    """Make the server from the options, or refuse options that contradict each other."""
    command, arguments = _command(app, request)
    server = MCPServerConfig(
        name=request.name,
        command=command,
        args=list(arguments),
        env=dict(_variable(app, text) for text in request.env),
        disabled=request.disabled,
        timeout=request.timeout_s,
        transport=_transport(request),
        url=request.url or "",
        headers=dict(_header(app, text) for text in request.headers),
        oauth=_oauth(request),
        # Naming hosts asks for a network that reaches only these.
        network=request.network or ("hosts" if request.hosts else None),
        hosts=list(request.hosts),
        read_paths=[_path(app, text) for text in request.read],
        write_paths=[_path(app, text) for text in request.write],
    )
    check_server(server, app.say("mcp_new_server"))
    return server


def _command(app: App, request: AddRequest) -> tuple[str, Sequence[str]]:
    if request.command is None and request.words and request.words[0].startswith("-"):
        # No program has such a name: it is a misspelled option of ours.
        option = request.words[0]
        raise ValidationError(app.say("mcp_unknown_option", option=option, name=request.name))
    if request.url is not None:
        if request.command is not None or request.words:
            raise ValidationError(app.say("mcp_url_and_command"))
        return "", ()
    words = request.words if request.command is None else (request.command, *request.words)
    if not words:
        raise ValidationError(app.say("mcp_url_or_command", name=request.name))
    return make_absolute(words[0], Path.cwd()), words[1:]


def make_absolute(command: str, folder: Path) -> str:
    """Make a command's path absolute: the program is started in its own folder."""
    if "/" not in command or "${" in command:
        return command
    return str(folder / Path(command).expanduser())


def _transport(request: AddRequest) -> TransportKind:
    if request.url is None:
        return request.transport or "stdio"
    return request.transport or (
        "ws" if request.url.lower().startswith(("ws:", "wss:")) else "http"
    )


def _oauth(request: AddRequest) -> OAuthSettings | None:
    if not (request.client_id or request.client_secret or request.scopes):
        return None
    return OAuthSettings(
        client_id=request.client_id or "",
        client_secret=request.client_secret or "",
        scopes=request.scopes,
    )


def _variable(app: App, text: str) -> tuple[str, str]:
    name, given, value = text.partition("=")
    if not name:
        raise ValidationError(app.say("mcp_bad_env"))
    # A name without a value is read from the environment at every start; no value is stored.
    return name, value if given else f"${{{name}}}"


def _header(app: App, text: str) -> tuple[str, str]:
    # Neither character can be part of a header's name.
    parts = _DIVIDERS.split(text, maxsplit=1)
    if len(parts) == 1 or not parts[0].strip():
        raise ValidationError(app.say("mcp_bad_header"))
    return parts[0].strip(), parts[1].strip()


def _path(app: App, text: str) -> str:
    if "${" in text:
        return text
    path = Path(text).expanduser().absolute()
    if not path.exists():
        raise ValidationError(app.say("mcp_no_path", path=path))
    return str(path)
