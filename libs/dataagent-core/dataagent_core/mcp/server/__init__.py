"""Our own MCP server: data tools, files and "ask the agent" for other products' agents.

    build_server.py (FastMCP) > served_tool.py > calls.py (may it run? run it) > the agent's own
    tools
                        > call_ledger.py (every call is recorded)
                        > resources.py (sessions, results, file_content.py: charts and exports)

Who calls and what they may is a `House`'s (`ports.py`): the server makes one for its tenants, the
command line one for the person at the machine. Nothing here imports FastMCP before
`build_server.py` or `stdio.py` is imported.
"""
