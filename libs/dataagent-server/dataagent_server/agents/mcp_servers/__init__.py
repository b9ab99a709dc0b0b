"""The MCP servers of a tenant: configured here, connected to by core (S0 phase 8, S2 §10).

mcp_server.py          a server as it is shown, its scope, and the changes of one
server_rights.py       who may use and change which server
secret_masks.py        `***` for a secret: never shown, kept when sent back, refused when new
merge.py               merges changes into the stored configuration
server_sealer.py       rows to core's `MCPServerConfig`, with encrypted secrets
mcp_policy.py          what programs may do in a tenant; `policy_service.py` stores it
server_rows.py         the SQL of servers
server_check.py        whether a server may be stored: core's checks, the policy, the address
mcp_server_service.py  creates, reads, changes and deletes servers, with rights and audit
sign_in/               users sign in at servers, each for themselves; tokens and flows
dial_rules.py          which addresses may be dialled
tenant_opener.py       opens a connection by the rules of its tenant
mcp_services.py        what routes and runs use: servers, connections, sign-ins
"""
