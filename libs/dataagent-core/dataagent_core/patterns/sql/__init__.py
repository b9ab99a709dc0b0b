"""Patterns in an SQL database: tables and statements once, for the terminal's file and a server."""

from dataagent_core.patterns.sql.sql_pattern_store import SqlPatternStore

__all__ = ["SqlPatternStore"]
