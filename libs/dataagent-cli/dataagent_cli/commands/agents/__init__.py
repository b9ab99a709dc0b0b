"""`dataagent agents`. Start at `group.py`."""
