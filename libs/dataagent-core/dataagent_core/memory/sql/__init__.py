"""The index of memory in an SQL database, and the database it is in.

The index finds memories (`store/`) and the episodes and entities of the graph (`graph/sql/`).
Tables and statements are there once, for a person's file and for a server.
"""
