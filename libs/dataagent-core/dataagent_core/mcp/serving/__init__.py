"""Our own MCP server: data tools, files and "ask the agent" for other products' agents.

    server.py (FastMCP) > tool.py > calls.py (may it run? run it) > the agent's own tools
                        > ledger.py (every call is recorded)
                        > resources.py (sessions, results, made_files.py: charts and exports)

Who calls and what they may is a `House`'s (`port.py`): the server makes one for its tenants, the
command line one for the person at the machine. Nothing here imports FastMCP before `server.py` or
`stdio.py` is imported.
"""
