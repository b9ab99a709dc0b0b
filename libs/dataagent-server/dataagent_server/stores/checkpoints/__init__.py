"""LangGraph's checkpoints in the same database, fenced: a run that was taken over writes no more.

SQLite: core's saver on the one writer connection. PostgreSQL: the library's saver. MySQL and
MariaDB: our own. Core's engine keeps messages in a `DeltaChannel`, which a saver must rebuild in
the order the tasks wrote; `langgraph-checkpoint-mysql` 3.0.0 passes the conformance suite, but
does not keep that order (and cannot send bytes with PyMySQL 1.2):
`tests/stores/checkpoints/test_community.py` shows it.
"""

from dataagent_server.stores.checkpoints.open_checkpoints import open_checkpoints

__all__ = ["open_checkpoints"]
