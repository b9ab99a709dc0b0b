"""Opens the transport of a tenant's MCP server by the rules that apply at that moment.

A configuration was checked when it was stored; since then a command may have been disallowed, a
feature switched off, a workspace moved. So everything is looked up when a connection is opened, and
a refusal carries a sentence for the user.
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
from dataagent_core.permissions.denied.denied_files import find_denied
from dataagent_core.sandbox.paths.path_masks import DeniedFolder
from dataagent_server.agents.mcp_servers.dial_rules import Dialable, clients_for_sign_ins
from dataagent_server.agents.mcp_servers.mcp_policy import WORKSPACE, MCPPolicy, why_not_started
from dataagent_server.agents.mcp_servers.owner_programs import leave_of
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


def program_homes(settings: ServerSettings) -> Path:
    """Return the folder in which programs of all users store downloads."""
    return settings.home / "mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantOpener:
    """Opens transports for all users, each by the rules of their tenant."""

    workspaces: WorkspaceStore
    settings: ServerSettings
    store: DatabaseTokenStore
    dialable: Dialable
    metrics: Metrics

    def open(self, owner: Owner, config: MCPServerConfig) -> "Transport":
        """Return the transport, not yet open: core's `OpenTransport`."""
        return self._open(owner, config)

    @asynccontextmanager
    async def _open(
        self, owner: Owner, config: MCPServerConfig
    ) -> "AsyncGenerator[TransportStreams]":
        failed = self.metrics.mcp_failures.labels(config.transport)
        connected = self.metrics.mcp_connections.labels(config.transport)
        async with AsyncExitStack() as stack:
            with failed.count_exceptions(MCPServerError):
                opener = await self._find_opener(owner, config)
                # Counted from before it is opened until its process has ended.
                connected.inc()
                stack.callback(connected.dec)
                streams = await stack.enter_async_context(opener(owner, config))
            yield streams

    async def _find_opener(self, owner: Owner, config: MCPServerConfig) -> OpenTransport:
        try:
            return await self._apply_rules(owner, config)
        except MCPServerError:
            raise
        except DataAgentError as error:
            # A database or folder of ours is unreachable; the details are not shown to the tenant.
            logger.warning("cannot look up the rules for an MCP server: %s", error)
            raise MCPServerError(config.name, _NOT_NOW) from error

    async def _apply_rules(self, owner: Owner, config: MCPServerConfig) -> OpenTransport:
        tenant_id = TenantId(owner.tenant_id)
        rules = await self.workspaces.database.read(lambda c: rules_of(c, tenant_id))
        if rules.mcp_off:
            raise MCPServerError(config.name, _NO_MCP)
        if config.transport != "stdio":
            return self._open_address()
        leave = await asyncio.to_thread(leave_of, config, rules, owner.user_id)
        if leave == "ask":
            raise MCPServerError(config.name, _NOT_ASKED)
        if leave == "policy":
            reason = why_not_started(config, rules.policy, programs_off=rules.programs_off)
            if reason is not None:
                raise MCPServerError(config.name, reason)
        space = await open_for_agent(self.workspaces, tenant_id, owner.user_id)
        policy = self._make_policy(rules.policy, space)
        policy = replace(
            policy, denied=(await asyncio.to_thread(self._find_denied_folder, owner, space),)
        )
        if leave == "owner":
            policy = _owner_policy(policy, config)
        opener = transport_opener(policy=policy, variables={WORKSPACE: str(space.path)})
        return lambda owner, config: opener(owner, with_workspace(config))

    def _open_address(self) -> OpenTransport:
        from dataagent_core.mcp.oauth import auth_for

        auth = auth_for(self.store, client_factory=clients_for_sign_ins(self.dialable))
        return transport_opener(policy=None, dialable=self.dialable, auth=auth)

    def _find_denied_folder(self, owner: Owner, space: AgentWorkspace) -> DeniedFolder:
        """Return what the rules of a user deny to read in their workspace. Blocks."""
        home = user_home(self.settings.home, owner.tenant_id, owner.user_id)
        rules = load_rules(self.settings, space.path, home=home)
        return DeniedFolder(space.path, find_denied(rules))

    def _make_policy(self, policy: MCPPolicy, space: AgentWorkspace) -> ProgramPolicy:
        opened = (*policy.read_paths, *policy.write_paths)
        home = self.settings.home
        return ProgramPolicy(
            folder=program_homes(self.settings),
            network=policy.default_network,
            network_most=policy.network_max,
            commands=policy.commands,
            path_roots=(space.path, *map(Path, opened)),
            # Not the whole home: workspaces may be in it.
            kept_away=(
                self.settings.secret_key_path,
                home / "people",
                home / "scratch",
                home / "dataagent.db",
            ),
            run_as=space.run_as,
        )


def _owner_policy(place: ProgramPolicy, config: MCPServerConfig) -> ProgramPolicy:
    """Return the policy for a program its owner approved: the network as on the command line."""
    declared = (path for path in (*config.read_paths, *config.write_paths) if path != _WORKSPACE)
    return replace(
        place,
        network=APPROVED_NETWORK,
        network_most="full",
        commands=(shlex.quote(config.command),),
        path_roots=(*(place.path_roots or ()), *map(Path, declared)),
    )


def with_workspace(config: MCPServerConfig) -> MCPServerConfig:
    """Replace the name of the workspace by its variable, and declare the folder."""
    args = [_replace_name(argument) for argument in config.args]
    if args == config.args:
        return config
    declared = _VARIABLE in (*config.read_paths, *config.write_paths)
    paths = config.write_paths if declared else [*config.write_paths, _VARIABLE]
    return replace(config, args=args, write_paths=paths)


def _replace_name(argument: str) -> str:
    if argument == _NAMED or argument.startswith(f"{_NAMED}/"):
        return _VARIABLE + argument.removeprefix(_NAMED)
    return argument
