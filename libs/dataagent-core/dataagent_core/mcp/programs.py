"""Programs of MCP servers that a person has to allow before they are started for the first time.

Where that is so, and what is remembered, is decided by whoever runs the connections (`Programs`);
when it is asked, by the engine (`engine/middleware/server_tools.py`).
"""

import hashlib
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from dataagent_core.hitl import ActionRequest
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.owner import Owner
from dataagent_core.sandbox.port import Network

START_PROGRAM = "start_mcp_program"
# The network of an approved program whose configuration names none.
APPROVED_NETWORK: Final[Network] = "full"


class ProgramApprovals(Protocol):
    """Knows which programs wait for a person's yes, and takes it."""

    async def to_ask(self, owner: Owner, config: MCPConfig) -> Sequence[MCPServerConfig]:
        """List the programs that are started only after a yes."""
        ...

    async def allow(self, owner: Owner, config: MCPServerConfig) -> None:
        """Remember the yes to this program; a `DeniedError` where it counts no more."""
        ...


class ProgramConnections(Protocol):
    """What holds connections: the manager."""

    async def disconnect_server(self, owner: Owner, server: str) -> None: ...


@dataclass(frozen=True, slots=True)
class ProgramApprovalRequests:
    """The programs of one agent's servers."""

    programs: ProgramApprovals
    owner: Owner
    config: MCPConfig
    connections: ProgramConnections

    async def waiting(self, asked: frozenset[str]) -> list[MCPServerConfig]:
        """List what waits for a yes, in a fixed order, and what was asked by one of these keys."""
        waiting = {one.name for one in await self.programs.to_ask(self.owner, self.config)}
        return [
            one for one in self.config.servers if one.name in waiting or program_key(one) in asked
        ]

    async def allow(self, config: MCPServerConfig) -> None:
        """Remember a yes; that the server could not be reached before it does not count."""
        await self.programs.allow(self.owner, config)
        await self.connections.disconnect_server(self.owner, config.name)


def program_line(config: MCPServerConfig) -> str:
    """Write the command line as a person would."""
    return shlex.join([config.command, *config.args])


def program_digest(config: MCPServerConfig) -> str:
    """Name what a yes is bound to: the command line, the folders, the network, the variables."""
    said = [config.command, config.args, config.read_paths, config.write_paths]
    reach = [_network(config), config.hosts]
    env = json.dumps(config.env, sort_keys=True).encode()
    digest_of_env = hashlib.sha256(env).hexdigest()
    return hashlib.sha256(json.dumps([said, reach, digest_of_env]).encode()).hexdigest()


def program_key(config: MCPServerConfig) -> str:
    """Name the question about a program within its run."""
    return f"mcp-program:{config.name}:{program_digest(config)}"


def program_request(config: MCPServerConfig) -> ActionRequest:
    """Put the start of a program as a question to a person."""
    line = program_line(config)
    return {
        "name": START_PROGRAM,
        "args": {
            "server": config.name,
            "command": line,
            "read_paths": config.read_paths,
            "write_paths": config.write_paths,
            "network": _network(config),
            "hosts": config.hosts,
            # Values may be secrets.
            "env": sorted(config.env),
        },
        "description": f"start the program of the MCP server {config.name!r}: {line}",
        "call_key": program_key(config),
        "always_asked": True,
    }


def _network(config: MCPServerConfig) -> Network:
    return config.network or APPROVED_NETWORK
