"""Output for people and programs: the two streams (`streams.py`), tables, JSON, exit codes."""
