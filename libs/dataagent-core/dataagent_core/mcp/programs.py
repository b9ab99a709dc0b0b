"""Programs of MCP servers that a person has to approve before their first start.

The host decides which programs need that and stores the approvals (`ProgramApprovals`); the engine
asks (`engine/middleware/server_tools.py`).
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
    """The store of programs that need an approval, and of their approvals."""

    async def to_ask(self, owner: Owner, config: MCPConfig) -> Sequence[MCPServerConfig]:
        """List the programs that are started only after an approval."""
        ...

    async def allow(self, owner: Owner, config: MCPServerConfig) -> None:
        """Store the approval of a program; `DeniedError` if it is no longer valid."""
        ...


class ProgramConnections(Protocol):
    """The manager, which closes connections."""

    async def disconnect_server(self, owner: Owner, server: str) -> None: ...


@dataclass(frozen=True, slots=True)
class ProgramApprovalRequests:
    """The approval requests for the programs of one agent's servers."""

    programs: ProgramApprovals
    owner: Owner
    config: MCPConfig
    connections: ProgramConnections

    async def waiting(self, asked: frozenset[str]) -> list[MCPServerConfig]:
        """List the programs that wait for an approval or were asked about by one of these keys."""
        waiting = {one.name for one in await self.programs.to_ask(self.owner, self.config)}
        return [
            one for one in self.config.servers if one.name in waiting or program_key(one) in asked
        ]

    async def allow(self, config: MCPServerConfig) -> None:
        """Store an approval; earlier failed connects are forgotten."""
        await self.programs.allow(self.owner, config)
        await self.connections.disconnect_server(self.owner, config.name)


def program_line(config: MCPServerConfig) -> str:
    """Render the command line for a person."""
    return shlex.join([config.command, *config.args])


def program_digest(config: MCPServerConfig) -> str:
    """Hash what an approval is bound to: command line, folders, network and variables."""
    command = [config.command, config.args, config.read_paths, config.write_paths]
    reach = [_network(config), config.hosts]
    env = json.dumps(config.env, sort_keys=True).encode()
    digest_of_env = hashlib.sha256(env).hexdigest()
    return hashlib.sha256(json.dumps([command, reach, digest_of_env]).encode()).hexdigest()


def program_key(config: MCPServerConfig) -> str:
    """Return the key of the request for a program within its run."""
    return f"mcp-program:{config.name}:{program_digest(config)}"


def program_request(config: MCPServerConfig) -> ActionRequest:
    """Make the approval request for the start of a program."""
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
