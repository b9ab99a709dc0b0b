"""Server configurations of every kind, for hypothesis, and the three forms they are written in."""

import string
from dataclasses import asdict
from typing import Any

from hypothesis import strategies as st

from dataagent_core.mcp.config import MCPConfig, MCPServerConfig, OAuthSettings

WORDS = string.ascii_letters + string.digits
# Any character of Unicode that can be written as UTF-8, except NUL.
texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30)
names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9.-]{0,40}(_[a-z]{1,3})?", fullmatch=True)
tables = st.dictionaries(
    texts.filter(lambda name: name != "" and "=" not in name), texts, max_size=4
)
headers = st.dictionaries(
    st.text(WORDS + "-", min_size=1, max_size=20),
    st.text(st.characters(codec="utf-8", min_codepoint=0x20, exclude_characters="\x7f")),
    max_size=3,
)
paths = st.lists(texts.map(lambda text: f"/{text}"), max_size=3)
oauths = st.none() | st.builds(
    OAuthSettings,
    authorization_endpoint=texts,
    token_endpoint=texts,
    client_id=texts,
    client_secret=texts,
    scopes=st.lists(st.text(WORDS, min_size=1), max_size=3).map(tuple),
)
_common: dict[str, Any] = {
    "name": names,
    "env": tables,
    "disabled": st.booleans(),
    "timeout": st.integers(1, 600),
    "headers": headers,
    "oauth": oauths,
    "read_paths": paths,
    "write_paths": paths,
}
_addresses = st.text(WORDS, min_size=1, max_size=20).map(lambda text: f"{text}.org/{text}?q=${{X}}")


def _reached(transport: str, *schemes: str) -> st.SearchStrategy[MCPServerConfig]:
    url = st.tuples(st.sampled_from(schemes), _addresses).map("://".join)
    return st.builds(MCPServerConfig, transport=st.just(transport), url=url, **_common)


_started = st.builds(
    MCPServerConfig,
    command=texts.filter(bool),
    args=st.lists(texts, max_size=4),
    network=st.sampled_from([None, "none", "full"]),
    **_common,
)
_started_with_hosts = st.builds(
    MCPServerConfig,
    command=st.just("uvx"),
    network=st.just("hosts"),
    hosts=st.lists(st.sampled_from(["a.org", "*.b.example"]), min_size=1),
    **_common,
)
servers = st.one_of(
    _started,
    _started_with_hosts,
    _reached("http", "http", "https"),
    _reached("sse", "http", "https"),
    _reached("ws", "ws", "wss"),
)
configs = st.lists(servers, max_size=5, unique_by=lambda server: server.name).map(
    lambda found: MCPConfig(servers=found)
)


def as_list(config: MCPConfig) -> dict[str, Any]:
    """Write S0's form, every field."""
    return {"servers": [asdict(server) for server in config.servers]}


def as_map(config: MCPConfig) -> dict[str, Any]:
    """Write S2's form, with `type`."""
    return {"servers": {server.name: _fields(server, "type") for server in config.servers}}


def as_common(config: MCPConfig) -> dict[str, Any]:
    """Write the form most products have, with keys of theirs that we do not know."""
    entries = {}
    for server in config.servers:
        fields = _fields(server, "transport")
        if server.transport in {"stdio", "http"}:
            del fields["transport"]
        fields["enabled"] = not fields.pop("disabled")
        entries[server.name] = fields | {"autoApprove": ["x"], "alwaysAllow": 1}
    return {"mcpServers": entries, "$schema": "https://example.org"}


def _fields(server: MCPServerConfig, transport_key: str) -> dict[str, Any]:
    fields = asdict(server)
    del fields["name"]
    fields[transport_key] = fields.pop("transport")
    return {key: value for key, value in fields.items() if value not in (None, "", [])}
