"""How a server is reached: a program in a sandbox, or an address. See `open.py`."""
