"""A conversation as the terminal sees it, in this process or on a server. Start at `port.py`."""
