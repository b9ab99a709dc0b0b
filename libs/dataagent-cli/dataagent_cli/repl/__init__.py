"""`dataagent` alone: a conversation in the terminal, inline. Start at `start.py`."""
