"""The MCP servers of one agent, and what has to be closed with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataagent_core.config import Settings
from dataagent_core.engine.assembly.agent_folders import AgentFolders
from dataagent_core.engine.assembly.agent_resources import Closable
from dataagent_core.engine.config import AgentConfig
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.owner import Owner
from dataagent_core.permissions import Policy
from dataagent_core.permissions.sampling_policy import may_be_offered
from dataagent_core.sandbox.paths.path_masks import DeniedFolder, FindMasks, find_no_masks

if TYPE_CHECKING:
    from dataagent_core.mcp.access import MCPAccess
    from dataagent_core.mcp.programs import ProgramApprovalRequests
    from dataagent_core.mcp.tools import AgentServers
    from dataagent_core.mcp.tools.sampling import AskModel

_LOCAL = "local"


@dataclass(frozen=True, slots=True)
class AgentMCPServers:
    """The servers of an agent, and what is closed with it."""

    servers: "AgentServers | None" = None
    closing: Sequence[Closable] = ()
    # The programs that need an approval, if any.
    programs: "ProgramApprovalRequests | None" = None
    # Called with the id of an ended run, whose open requests get no answer any more.
    ended: Sequence[Callable[[str], None]] = ()


def make_mcp_servers(
    settings: Settings,
    config: AgentConfig,
    wanted: MCPConfig,
    places: AgentFolders,
    access: "MCPAccess | None",
    *,
    policy: Policy,
    ask_model: "AskModel",
    sandboxed: bool,
    find_masks: FindMasks = find_no_masks,
) -> AgentMCPServers:
    """Make the servers of an agent; none is started. Without `access` it gets its own connections.

    `policy` decides which servers may use `ask_model`.
    """
    if all(one.disabled for one in wanted.servers):
        return AgentMCPServers()
    from dataagent_core.mcp.access import MCPAccess
    from dataagent_core.mcp.local import local_manager
    from dataagent_core.mcp.programs import ProgramApprovalRequests
    from dataagent_core.mcp.tools import AgentServers
    from dataagent_core.mcp.tools.sampling import SamplingHandler, sampling_name

    tenant_id = config.tenant_id or _LOCAL

    def offers_sampling(_owner: Owner, server: MCPServerConfig) -> bool:
        return may_be_offered(sampling_name(tenant_id, server.name), policy)

    own = access is None
    denied = DeniedFolder(places.workspace.path, find_masks)
    access = access or MCPAccess(
        local_manager(
            settings,
            sandboxed=sandboxed,
            denied=[denied],
            workspace=places.workspace.path,
            offers_sampling=offers_sampling,
        )
    )
    owner = Owner(tenant_id, config.user_id or config.assistant_id)
    servers = AgentServers(
        access.manager,
        owner,
        wanted,
        tenant=tenant_id,
        files=places.workspace,
        held=access.held,
        sign_in_page=access.sign_in_page,
        sampling=SamplingHandler(tenant=tenant_id, policy=policy, ask_model=ask_model),
    )
    programs = None
    if access.programs is not None:
        programs = ProgramApprovalRequests(access.programs, owner, wanted, access.manager)
    return AgentMCPServers(servers, [access] if own else [], programs, [access.held.cancel_run])
