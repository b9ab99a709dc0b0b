"""`dataagent mcp`. Start at `group.py`."""
