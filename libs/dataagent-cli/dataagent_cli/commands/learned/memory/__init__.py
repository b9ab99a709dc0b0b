"""`dataagent memory`. Start at `group.py`."""
