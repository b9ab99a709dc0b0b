"""A conversation whose agent works in this process. Start at `conversation.py`."""
