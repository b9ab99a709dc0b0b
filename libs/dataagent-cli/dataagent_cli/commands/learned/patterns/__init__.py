"""`dataagent patterns`. Start at `group.py`."""
