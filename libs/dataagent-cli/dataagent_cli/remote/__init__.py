"""The client of a DataAgent server: its address, a person's key, requests and live events.

Uses only the server's public API. `conversation/remote.py` makes a conversation of it; start there.
"""
