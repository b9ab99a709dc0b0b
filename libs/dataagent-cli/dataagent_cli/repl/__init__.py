"""`dataagent` without a command: a conversation at an inline prompt. Start at `start.py`."""
