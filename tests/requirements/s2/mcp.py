"""S2 §10: MCP servers, signing in at them, and their workers."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import TEMPORAL, implemented, planned

MCP: tuple[Requirement, ...] = (
    *implemented(
        {
            "10.1-stdio": "A program is talked to over its pipes.",
            "10.1-sse": "A server is talked to over HTTP with SSE.",
            "10.1-http": "A server is talked to over HTTP.",
            "10.1-websocket": "A server is talked to over a WebSocket.",
            "10.3.3-storage": "Tokens are in mcp-auth.json, which only its owner may read.",
            "10.3.3-url": "A token is bound to the address it was given for.",
            "10.3.3-expiry": "A token is renewed before it ends.",
            "10.3.3-registration": "A client registers itself (RFC 7591).",
            "10.3.3-pkce": "The code is exchanged with the PKCE verifier.",
            "10.3.3-state": "An answer with another state is refused.",
            "10.3.3-callback": "The browser comes back to a server on this machine, and a page says that it worked.",
            "10.3.3-callback-state": "The callback server takes the right state, once.",
            "10.3.3-callback-timeout": "The wait for the browser ends.",
            "10.3.3-pages": "The pages of success and failure run no script.",
            "10.4": "The document's configuration is read.",
            "10.4-variables": "${VARIABLES} are filled in.",
            "10.5": "A tool is called mcp__{tenant}_{server}__{tool}.",
            "16.4-mcp": "/api/v1/mcp/servers: add, list tools, test, delete.",
        }
    ),
    *planned(
        TEMPORAL,
        {
            "10.2.2": "MCPServerWorkflow keeps a server on a worker; activities start, call and stop it.",
            "10.2.3": "start_mcp_server, call_mcp_tool and stop_mcp_server go through the workflow.",
            "10.2.4": "A workflow is called tenant_{tenant_id}_mcp_{server_name}.",
            "10.2.5-POST-servers": "POST /api/v1/mcp/temporal/servers.",
            "10.2.5-DELETE-server": "DELETE /api/v1/mcp/temporal/servers/{server_name}.",
            "10.2.5-GET-servers": "GET /api/v1/mcp/temporal/servers.",
            "10.2.5-GET-status": "GET /api/v1/mcp/temporal/servers/{server_name}/status.",
            "10.2.5-GET-server-tools": "GET /api/v1/mcp/temporal/servers/{server_name}/tools.",
            "10.2.5-POST-call": "POST /api/v1/mcp/temporal/servers/{server_name}/tools/call.",
            "10.2.5-GET-tools": "GET /api/v1/mcp/temporal/tools.",
            "10.2.6": "A restart of the API leaves MCP servers connected.",
            "10.2.7": "An MCP worker is deployed, several of them if wanted.",
        },
    ),
)
