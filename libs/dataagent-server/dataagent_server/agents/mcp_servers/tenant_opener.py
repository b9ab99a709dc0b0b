"""Opens the transport of a tenant's MCP server, by the rules that count at that moment.

A configuration was checked when it was stored; since then a command may have been taken back, a
feature switched off, a workspace moved. So everything is looked up when a connection is opened,
and what is refused is refused with a sentence for the person.
"""

import asyncio
import logging
import shlex
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dataagent_core.config.paths import user_home
from dataagent_core.errors import DataAgentError, MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import OpenTransport
from dataagent_core.mcp.programs import APPROVED_NETWORK
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy
from dataagent_core.permissions import load_rules
from dataagent_core.permissions.denied_files import find_denied
from dataagent_core.sandbox.paths.path_masks import DeniedFolder
from dataagent_server.agents.mcp_servers.dial_rules import Dialable, clients_for_sign_ins
from dataagent_server.agents.mcp_servers.owner_programs import leave_of
from dataagent_server.agents.mcp_servers.policy import WORKSPACE, MCPPolicy, why_not_started
from dataagent_server.agents.mcp_servers.policy_service import rules_of
from dataagent_server.agents.mcp_servers.sign_in.token_store import DatabaseTokenStore
from dataagent_server.common.ids import TenantId
from dataagent_server.common.metrics import Metrics
from dataagent_server.settings import ServerSettings
from dataagent_server.workspaces.agent_workspace import AgentWorkspace, open_for_agent
from dataagent_server.workspaces.store import WorkspaceStore

_NAMED: Final = "/workspace"
_VARIABLE: Final = f"${{{WORKSPACE}}}"

if TYPE_CHECKING:
    from mcp.client import Transport
    from mcp.client._transport import TransportStreams

logger = logging.getLogger(__name__)

_NOT_NOW: Final = "cannot be connected just now; the server's log has the reason. Try again."
_WORKSPACE: Final = f"${{{WORKSPACE}}}"
_NOT_ASKED: Final = (
    "starts a program that you have not allowed yet. You are asked in the next run; or allow it "
    "with POST /api/v1/mcp/servers/NAME/allow."
)
_NO_MCP: Final = "is not used: your organisation does not have the feature 'mcp'."


def homes_in(settings: ServerSettings) -> Path:
    """Name the folder in which everybody's programs keep what they fetched."""
    return settings.home / "mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantOpener:
    """Opens transports for everybody, for each by their tenant's rules."""

    workspaces: WorkspaceStore
    settings: ServerSettings
    store: DatabaseTokenStore
    dialable: Dialable
    metrics: Metrics

    def open(self, owner: Owner, config: MCPServerConfig) -> "Transport":
        """Give the transport, not yet open: core's `OpenTransport`."""
        return self._opened(owner, config)

    @asynccontextmanager
    async def _opened(
        self, owner: Owner, config: MCPServerConfig
    ) -> "AsyncGenerator[TransportStreams]":
        failed = self.metrics.mcp_failures.labels(config.transport)
        connected = self.metrics.mcp_connections.labels(config.transport)
        async with AsyncExitStack() as stack:
            with failed.count_exceptions(MCPServerError):
                opener = await self._opener(owner, config)
                # From before it is opened until its process is gone.
                connected.inc()
                stack.callback(connected.dec)
                streams = await stack.enter_async_context(opener(owner, config))
            yield streams

    async def _opener(self, owner: Owner, config: MCPServerConfig) -> OpenTransport:
        try:
            return await self._by_rules(owner, config)
        except MCPServerError:
            raise
        except DataAgentError as error:
            # A database or folder of ours that is away; what exactly is not the tenant's to know.
            logger.warning("cannot look up the rules for an MCP server: %s", error)
            raise MCPServerError(config.name, _NOT_NOW) from error

    async def _by_rules(self, owner: Owner, config: MCPServerConfig) -> OpenTransport:
        tenant_id = TenantId(owner.tenant_id)
        rules = await self.workspaces.database.read(lambda c: rules_of(c, tenant_id))
        if rules.mcp_off:
            raise MCPServerError(config.name, _NO_MCP)
        if config.transport != "stdio":
            return self._at_address()
        leave = await asyncio.to_thread(leave_of, config, rules, owner.user_id)
        if leave == "ask":
            raise MCPServerError(config.name, _NOT_ASKED)
        if leave == "policy":
            reason = why_not_started(config, rules.policy, programs_off=rules.programs_off)
            if reason is not None:
                raise MCPServerError(config.name, reason)
        space = await open_for_agent(self.workspaces, tenant_id, owner.user_id)
        place = self._place(rules.policy, space)
        place = replace(place, denied=(await asyncio.to_thread(self._denied, owner, space),))
        if leave == "owner":
            place = _owners_place(place, config)
        opener = transport_opener(policy=place, variables={WORKSPACE: str(space.path)})
        return lambda owner, config: opener(owner, with_workspace(config))

    def _at_address(self) -> OpenTransport:
        from dataagent_core.mcp.oauth import auth_for

        auth = auth_for(self.store, client_factory=clients_for_sign_ins(self.dialable))
        return transport_opener(policy=None, dialable=self.dialable, auth=auth)

    def _denied(self, owner: Owner, space: AgentWorkspace) -> DeniedFolder:
        """Say what the rules of a person deny to read of their workspace. It blocks."""
        home = user_home(self.settings.home, owner.tenant_id, owner.user_id)
        rules = load_rules(self.settings, space.path, home=home)
        return DeniedFolder(space.path, find_denied(rules))

    def _place(self, policy: MCPPolicy, space: AgentWorkspace) -> ProgramPolicy:
        opened = (*policy.read_paths, *policy.write_paths)
        home = self.settings.home
        return ProgramPolicy(
            folder=homes_in(self.settings),
            network=policy.network_given,
            network_most=policy.network_max,
            commands=policy.commands,
            path_roots=(space.path, *map(Path, opened)),
            # Not all of our home: workspaces may be in it.
            kept_away=(
                self.settings.secret_key_path,
                home / "people",
                home / "scratch",
                home / "dataagent.db",
            ),
            run_as=space.run_as,
        )


def _owners_place(place: ProgramPolicy, config: MCPServerConfig) -> ProgramPolicy:
    """Give a program what its owner said yes to: the network as on their own command line."""
    declared = (path for path in (*config.read_paths, *config.write_paths) if path != _WORKSPACE)
    return replace(
        place,
        network=APPROVED_NETWORK,
        network_most="full",
        commands=(shlex.quote(config.command),),
        path_roots=(*(place.path_roots or ()), *map(Path, declared)),
    )


def with_workspace(config: MCPServerConfig) -> MCPServerConfig:
    """Give the workspace's variable instead of its name, and declare the folder."""
    args = [_named(argument) for argument in config.args]
    if args == config.args:
        return config
    declared = _VARIABLE in (*config.read_paths, *config.write_paths)
    paths = config.write_paths if declared else [*config.write_paths, _VARIABLE]
    return replace(config, args=args, write_paths=paths)


def _named(argument: str) -> str:
    if argument == _NAMED or argument.startswith(f"{_NAMED}/"):
        return _VARIABLE + argument.removeprefix(_NAMED)
    return argument
