"""The public address of the server, and the path below which a proxy serves it."""

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from dataagent_server.settings import ServerSettings


def public_address_of(connection: HTTPConnection) -> str:
    """Return the public address, without a slash at the end."""
    return (_settings(connection).public_url or str(connection.base_url)).rstrip("/")


def base_path(connection: HTTPConnection) -> str:
    """Return the path of that address, with a slash at both ends."""
    public_url = _settings(connection).public_url
    path = urlsplit(public_url).path if public_url else connection.scope.get("root_path", "")
    inner = path.strip("/")
    return f"/{inner}/" if inner else "/"


def _settings(connection: HTTPConnection) -> ServerSettings:
    return connection.app.state.settings
