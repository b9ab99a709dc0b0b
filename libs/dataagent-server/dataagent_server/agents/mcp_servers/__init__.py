"""The MCP servers of a tenant's people: configured here, connected to by core (S0 phase 8, S2 §10).

mcp_server.py      a server as it is shown, whose it is, and what may be said of one
server_rights.py     who may do what with whose
secret_masks.py    what `***` means: never shown, kept when it comes back, refused when it is new
merge.py      what is said, over what is stored
server_sealer.py  rows and core's `MCPServerConfig`, with what may be secret encrypted in between
mcp_policy.py     what programs may do in a tenant; `policy_service.py` keeps it
server_rows.py  the servers' SQL
server_check.py  may this be stored: core's checks, the policy, the address
mcp_server_service.py    adding, seeing, changing, removing; with rights and record
sign_in/      people signing in at servers, each for themselves; tokens and flows
dial_rules.py   which addresses may be dialled
tenant_opener.py  a connection is opened by the rules of its tenant
mcp_services.py   what routes and runs use: servers, connections, sign-ins
"""
