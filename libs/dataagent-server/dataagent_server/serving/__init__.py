"""`dataagent serve`: the address, the greeting, uvicorn and its workers."""
