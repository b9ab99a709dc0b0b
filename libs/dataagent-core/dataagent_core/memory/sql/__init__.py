"""Memories in an SQL database, and the index that they share with the graph.

Tables and statements are there once, for a person's file and for a server.
"""
