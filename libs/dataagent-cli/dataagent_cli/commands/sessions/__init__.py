"""`dataagent sessions`. Start at `group.py`."""
