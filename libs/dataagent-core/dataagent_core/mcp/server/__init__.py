"""Our own MCP server: data tools, files and "ask the agent" for agents of other products.

`build_server.py` builds it with FastMCP, `served_tool.py` wraps the agent's own tools and decides
whether a call may run, `call_ledger.py` records it, `resources.py` serves sessions, results and
files. The caller and its rights come from `MCPServices` (`ports.py`): the server implements it for
its tenants, the command line for its user. FastMCP is not loaded before `build_server.py` is
imported.
"""
