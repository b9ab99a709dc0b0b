"""Checks a server's configuration from a file, a form or the command line. Pure.

Every error is one sentence that names the server, the field and what to do; the values of `env`,
`headers` and `oauth` are secrets and are never named. What a host allows beyond this (commands,
addresses) is decided where a server is started.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from dataagent_core.config.limits.mcp import (
    MCP_ITEMS_MAX,
    MCP_SERVER_NAME_CHARS_MAX,
    MCP_SERVERS_MAX,
    MCP_TEXT_CHARS_MAX,
    MCP_TIMEOUT_S_MAX,
    MCP_TIMEOUT_S_MIN,
)
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig, TransportKind

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\Z")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_HOST = re.compile(r"(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?\Z")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SCHEMES: dict[TransportKind, tuple[str, ...]] = {
    "stdio": (),
    "http": ("http", "https"),
    "sse": ("http", "https"),
    "ws": ("ws", "wss"),
}
_SHOWN_CHARS_MAX = 80
# Tool names are `mcp__tenant_server__tool`, so a server's name may not hold the divider.
_DIVIDER = "__"


def quote_value(value: object) -> str:
    """Render a value for an error, truncated."""
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS_MAX else text[:_SHOWN_CHARS_MAX] + "..."


def check_config(config: MCPConfig, where: str) -> None:
    """Refuse an invalid configuration; `where` names its source in the error."""
    if len(config.servers) > MCP_SERVERS_MAX:
        raise ValidationError(
            f"{where} holds {len(config.servers)} servers; at most {MCP_SERVERS_MAX} fit. "
            "Take some out."
        )
    seen: set[str] = set()
    for server in config.servers:
        check_server(server, where)
        if server.name in seen:
            raise ValidationError(
                f"{where} names the server {server.name!r} twice. Rename or remove one of them."
            )
        seen.add(server.name)


def check_server(server: MCPServerConfig, where: str) -> None:
    """Refuse a server that could not be started or reached."""
    check_name(server.name, where)
    for problem in _problems(server):
        raise ValidationError(f"{where}: the server {server.name!r} {problem}")


def check_name(name: str, where: str) -> None:
    """Refuse a name that does not fit the name of a tool or a folder."""
    fits = len(name) <= MCP_SERVER_NAME_CHARS_MAX and _NAME.match(name) and _DIVIDER not in name
    if not fits:
        raise ValidationError(
            f"{where}: {quote_value(name)} cannot be the name of a server: use 1 to "
            f"{MCP_SERVER_NAME_CHARS_MAX} letters, digits, '-', '_' or '.', starting with a letter "
            f"or digit, without {_DIVIDER!r}."
        )


def _problems(server: MCPServerConfig) -> Iterator[str]:
    # In this order: later checks rely on earlier ones.
    yield from _text_problems(server)
    yield from _kind_problems(server)
    yield from _table_problems(server)
    if not MCP_TIMEOUT_S_MIN <= server.timeout <= MCP_TIMEOUT_S_MAX:
        yield (
            f"has the timeout {quote_value(server.timeout)}; it is in seconds, from "
            f"{MCP_TIMEOUT_S_MIN} "
            f"to {MCP_TIMEOUT_S_MAX}."
        )
    yield from _confinement_problems(server)


def _kind_problems(server: MCPServerConfig) -> Iterator[str]:
    if not server.command and not server.url:
        yield "has neither a 'command' nor a 'url': give the one it is started or reached by."
    if server.command and server.url:
        yield "has both a 'command' and a 'url': keep the one it is started or reached by."
    if server.transport == "stdio":
        if server.url:
            yield "has a 'url' but the transport 'stdio': use 'http', 'sse' or 'ws'."
        return
    if server.command:
        yield f"has a 'command' but the transport {server.transport!r}: use 'stdio'."
    yield from _url_problems(server.url, server.transport)


def _url_problems(url: str, transport: TransportKind) -> Iterator[str]:
    schemes = _SCHEMES[transport]
    wanted = " or ".join(f"{scheme}://" for scheme in schemes)
    literal, variable, _ = url.partition("${")
    if variable and "://" not in literal:
        # Checked again once the variable's value is known.
        return
    if _CONTROL.search(url) or " " in url:
        yield "has a 'url' with spaces or control characters: take them out."
    try:
        parts = urlsplit(literal if variable else url)
        has_host = bool(parts.hostname) or bool(variable)
        _ = None if variable else parts.port
    except ValueError:
        yield f"has a 'url' that is no address: write {wanted}HOST/PATH."
        return
    if parts.scheme not in schemes or not has_host:
        yield (
            f"has a 'url' that begins with {quote_value(url.partition(':')[0])}, but its transport "
            f"{transport!r} needs {wanted}HOST/PATH."
        )


def _table_problems(server: MCPServerConfig) -> Iterator[str]:
    for name in server.env:
        if not name or "=" in name:
            yield f"has {quote_value(name)} in 'env', which cannot name a variable: rename it."
    for name, value in server.headers.items():
        if not _HEADER_NAME.match(name):
            yield f"has {quote_value(name)} in 'headers', which cannot name a header: rename it."
        if _CONTROL.search(value):
            yield f"has a line break or control character in the header {name!r}: take it out."


def _confinement_problems(server: MCPServerConfig) -> Iterator[str]:
    if server.network == "hosts" and not server.hosts:
        yield "has the network 'hosts' but no 'hosts': list them, or use the network 'none'."
    if server.hosts and server.network != "hosts":
        yield "has 'hosts' but not the network 'hosts': set it, or take the hosts out."
    for host in server.hosts:
        if not _HOST.match(host):
            yield (
                f"has {quote_value(host)} in 'hosts': "
                "write a name such as 'example.org' or '*.a.org'."
            )
    for path in (*server.read_paths, *server.write_paths):
        if not path.startswith(("/", "${")):
            yield f"has the path {quote_value(path)}, which is not a whole one: begin it with '/'."


def _text_problems(server: MCPServerConfig) -> Iterator[str]:
    for field, texts in _texts(server).items():
        count = 0
        for text in texts:
            count += 1
            if "\x00" in text:
                yield f"has a NUL character in {field!r}: take it out."
            if not _is_unicode(text):
                yield f"has half a character (a lone surrogate) in {field!r}: take it out."
            if len(text) > MCP_TEXT_CHARS_MAX:
                yield (
                    f"has a text of {len(text):,} characters in {field!r}; at most "
                    f"{MCP_TEXT_CHARS_MAX:,} are taken."
                )
        if count > MCP_ITEMS_MAX:
            yield f"has {count} texts in {field!r}; at most {MCP_ITEMS_MAX} are taken."


def _texts(server: MCPServerConfig) -> dict[str, Iterable[str]]:
    oauth = server.oauth
    return {
        "command": (server.command,),
        "args": server.args,
        "env": _keys_and_values(server.env),
        "url": (server.url,),
        "headers": _keys_and_values(server.headers),
        "hosts": server.hosts,
        "read_paths": server.read_paths,
        "write_paths": server.write_paths,
        "oauth": ()
        if oauth is None
        else (
            oauth.authorization_endpoint,
            oauth.token_endpoint,
            oauth.client_id,
            oauth.client_secret,
            *oauth.scopes,
        ),
    }


def _keys_and_values(table: Mapping[str, str]) -> Iterator[str]:
    for name, value in table.items():
        yield name
        yield value


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
