"""The key of a connection: two owners, or two configurations, never share one."""

import hashlib
import json
from dataclasses import asdict, dataclass

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.owner import Owner


@dataclass(frozen=True, slots=True)
class ConnectionKey:
    """One server, in one configuration, of one owner."""

    owner: Owner
    server: str
    digest: str


def key_of(owner: Owner, config: MCPServerConfig) -> ConnectionKey:
    """Make the key from all of the configuration, environment and secrets included."""
    # `disabled` does not change the server that would be started.
    facts = {name: value for name, value in asdict(config).items() if name != "disabled"}
    text = json.dumps(facts, sort_keys=True)
    return ConnectionKey(owner, config.name, hashlib.sha256(text.encode()).hexdigest())
