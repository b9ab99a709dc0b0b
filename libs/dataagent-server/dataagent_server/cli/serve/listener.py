"""Binds the listening address before anything else is started."""

import errno
import socket

from dataagent_core.errors import ConfigurationError
from dataagent_server.settings.limits import UNHEARD_S_MAX

_BACKLOG = 2_048


def listen(host: str, port: int) -> socket.socket:
    """Bind and listen, so that early connections wait instead of being refused."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind)
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(
            f"The host {host!r} is not known: {error}. Set DATAAGENT_HOST or --host to an "
            "address of this machine, such as 127.0.0.1."
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _set_user_timeout(listener)
        listener.bind(where)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise ConfigurationError(_explain(host, port, error)) from error
    listener.set_inheritable(True)
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the URL for a browser on this machine."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 (compared, not bound)
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _set_user_timeout(listener: socket.socket) -> None:
    """Let the kernel drop readers that acknowledge nothing; connections inherit it.

    We close such a connection, but its unsent data would keep the socket for long.
    """
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None:
        listener.setsockopt(socket.IPPROTO_TCP, option, int(UNHEARD_S_MAX * 1_000))


def _explain(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} of {host} is in use, perhaps by another DataAgent. Stop that one, or "
            f"choose another port: --port {port + 1} or DATAAGENT_PORT={port + 1}."
        )
    if error.errno == errno.EACCES:
        return f"Port {port} needs more rights than you have; choose one above 1023 with --port."
    return (
        f"The server cannot listen at {host}:{port}: {error.strerror or error}. Choose an "
        "address of this machine with --host and a free port with --port."
    )
