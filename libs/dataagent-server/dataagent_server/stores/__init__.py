"""Core's ports over `Database`: sessions, messages, the event log with its journal, checkpoints.

One tenant per store. The same code serves SQLite, MySQL or MariaDB and PostgreSQL; `factory.py`
chooses by the setting `session_store`.
"""
