"""The graph in an SQL database: tables and statements once, for a person's file and a server."""
