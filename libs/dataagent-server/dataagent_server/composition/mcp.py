"""Opens what MCP servers need, and closes their connections and processes."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from dataagent_core.mcp.access import MCPAccess
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.ports import every_server
from dataagent_core.secrets import Cipher
from dataagent_core.tools.web.web_policy import make_web_policy
from dataagent_server.agents.credentials.base_url_check import BaseUrlCheck
from dataagent_server.agents.mcp_servers.dial_rules import dialable_by_tenants
from dataagent_server.agents.mcp_servers.mcp_server_service import MCPServerService
from dataagent_server.agents.mcp_servers.mcp_services import MCPServices
from dataagent_server.agents.mcp_servers.owner_programs import OwnerPrograms
from dataagent_server.agents.mcp_servers.policy_service import PolicyService
from dataagent_server.agents.mcp_servers.server_check import ServerCheck
from dataagent_server.agents.mcp_servers.server_sealer import ServerSealer
from dataagent_server.agents.mcp_servers.sign_in.sign_ins import SignIns, sign_in_pages
from dataagent_server.agents.mcp_servers.sign_in.token_store import DatabaseTokenStore
from dataagent_server.agents.mcp_servers.tenant_opener import TenantOpener, program_homes
from dataagent_server.common.metrics import Metrics
from dataagent_server.composition.services import DEFAULT_EDGES, Edges
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.settings import ServerSettings
from dataagent_server.workspaces.store import WorkspaceStore


@asynccontextmanager
async def open_mcp(
    settings: ServerSettings,
    audit: AuditTrail,
    cipher: Cipher,
    workspaces: WorkspaceStore,
    *,
    metrics: Metrics,
    edges: Edges = DEFAULT_EDGES,
) -> AsyncGenerator[MCPServices]:
    """Open the shared parts; at the end every connection and process is closed."""
    database = workspaces.database
    web = make_web_policy(settings)
    dialable = dialable_by_tenants(web)
    store = DatabaseTokenStore(database, cipher)
    check = ServerCheck(BaseUrlCheck(web, edges.resolver))
    opener = TenantOpener(
        workspaces=workspaces, settings=settings, store=store, dialable=dialable, metrics=metrics
    )
    # A run of the server can always ask a user: its requests wait in the API.
    manager = MCPConnectionManager(opener.open, edges.mcp_limits, offers_sampling=every_server)
    programs = OwnerPrograms(database, audit)
    access = MCPAccess(manager, sign_in_page=sign_in_pages(settings.public_url), programs=programs)
    try:
        yield MCPServices(
            servers=MCPServerService(database, audit, ServerSealer(cipher), check),
            policy=PolicyService(database, audit),
            programs=programs,
            sign_ins=SignIns(database, cipher, store, dialable, settings.public_url),
            access=access,
            homes=program_homes(settings),
        )
    finally:
        await access.aclose()
