"""`dataagent skills`. Start at `group.py`."""
