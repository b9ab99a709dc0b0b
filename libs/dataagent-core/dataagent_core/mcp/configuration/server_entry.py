"""Reads one server's object of a file, key by key. Pure.

Unknown keys belong to other products and are ignored; a known key with a value of the wrong type is
an error, because ignoring it would start another server than was meant. `config_check.py` checks
the values beyond their types.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from dataagent_core.config.limits.mcp import MCP_TIMEOUT_S_DEFAULT
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.config import MCPServerConfig, OAuthSettings, TransportKind
from dataagent_core.mcp.configuration.config_check import quote_value
from dataagent_core.sandbox.port import Network

_TRANSPORTS: dict[str, TransportKind] = {
    "stdio": "stdio",
    "http": "http",
    "streamable-http": "http",
    "streamable_http": "http",
    "streamablehttp": "http",
    "sse": "sse",
    "ws": "ws",
    "websocket": "ws",
}
_NETWORKS: dict[str, Network] = {"none": "none", "hosts": "hosts", "full": "full"}


def server_from(name: str, values: Mapping[str, object], where: str) -> MCPServerConfig:
    """Read one server; `where` names its source in errors. Its values are not checked yet."""
    read = ServerEntryReader(f"{where}: the server {quote_value(name)}", values)
    command, url = read.text("command"), read.text("url")
    return MCPServerConfig(
        name=name,
        command=command,
        args=read.texts("args"),
        env=read.table("env"),
        disabled=_read_disabled(read),
        timeout=read.whole("timeout", MCP_TIMEOUT_S_DEFAULT),
        transport=_read_transport(read, url),
        url=url,
        headers=read.table("headers"),
        oauth=_read_oauth(read),
        network=_read_network(read),
        hosts=read.texts("hosts"),
        read_paths=read.texts("read_paths"),
        write_paths=read.texts("write_paths"),
    )


@dataclass(frozen=True, slots=True)
class ServerEntryReader:
    """Reads values by their types; null counts as missing."""

    where: str
    values: Mapping[str, object]

    def text(self, key: str) -> str:
        value = self.values.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self._type_error(key, value, "a text")
        return value

    def texts(self, key: str) -> list[str]:
        value = self.values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._type_error(key, value, "a list of texts")
        for item in cast("list[object]", value):
            if not isinstance(item, str):
                raise self._type_error(f"{key}[]", item, "a text; put it in quotes")
        return cast("list[str]", value)

    def table(self, key: str) -> dict[str, str]:
        found = self.fields(key) or {}
        for name, item in found.items():
            if not isinstance(item, str):
                raise self._type_error(f"{key}.{name}", item, "a text; put it in quotes")
        return cast("dict[str, str]", dict(found))

    def fields(self, key: str) -> Mapping[str, object] | None:
        value = self.values.get(key)
        if value is not None and not isinstance(value, dict):
            raise self._type_error(key, value, "an object")
        return cast("Mapping[str, object] | None", value)

    def flag(self, key: str) -> bool | None:
        value = self.values.get(key)
        if value is not None and not isinstance(value, bool):
            raise self._type_error(key, value, "true or false")
        return value

    def whole(self, key: str, default: int) -> int:
        value = self.values.get(key)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._type_error(key, value, "a whole number")
        return value

    def refusal(self, problem: str) -> str:
        """Render a problem of this entry."""
        return f"{self.where} {problem}"

    def _type_error(self, key: str, value: object, wanted: str) -> ValidationError:
        # Only the type of the value is named: it may be a secret.
        return ValidationError(
            self.refusal(f"has {_kind(value)} as {quote_value(key)}; it must be {wanted}.")
        )


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"


def _read_disabled(read: ServerEntryReader) -> bool:
    disabled, enabled = read.flag("disabled"), read.flag("enabled")
    if disabled is not None and enabled is not None and disabled == enabled:
        raise ValidationError(
            read.refusal(f"says disabled and enabled are both {str(enabled).lower()}. Keep one.")
        )
    return bool(disabled) or enabled is False


def _read_transport(read: ServerEntryReader, url: str) -> TransportKind:
    named = [read.text(key) for key in ("type", "transport")]
    kinds: list[TransportKind] = []
    for name in filter(None, named):
        kind = _TRANSPORTS.get(name.lower())
        if kind is None:
            raise ValidationError(
                read.refusal(
                    f"has the transport {quote_value(name)}; known are 'stdio', 'http', "
                    "'sse' and 'ws'."
                )
            )
        kinds.append(kind)
    if len(set(kinds)) > 1:
        raise ValidationError(
            read.refusal(f"has the type {kinds[0]!r} and the transport {kinds[1]!r}. Keep one.")
        )
    if kinds:
        return kinds[0]
    if not url:
        return "stdio"
    return "ws" if url.lower().startswith(("ws:", "wss:")) else "http"


def _read_network(read: ServerEntryReader) -> Network | None:
    name = read.text("network")
    if not name:
        return None
    if name not in _NETWORKS:
        raise ValidationError(
            read.refusal(
                f"has the network {quote_value(name)}; known are 'none', 'hosts' and 'full'."
            )
        )
    return _NETWORKS[name]


def _read_oauth(read: ServerEntryReader) -> OAuthSettings | None:
    values = read.fields("oauth")
    if values is None:
        return None
    inner = ServerEntryReader(f"{read.where} in 'oauth'", values)
    scopes = inner.texts("scopes") or inner.text("scope").split()
    return OAuthSettings(
        authorization_endpoint=inner.text("authorization_endpoint"),
        token_endpoint=inner.text("token_endpoint"),
        client_id=inner.text("client_id") or inner.text("clientId"),
        client_secret=inner.text("client_secret") or inner.text("clientSecret"),
        scopes=tuple(scopes),
    )
