"""A DataAgent server, as a terminal of it: its address, a person's key, requests and live events.

Speaks the server's public API and nothing else. What a conversation makes of it is
`conversation/remote.py`; start there.
"""
