"""Workspaces (S4): a directory with a quota that belongs to a person; the agent's file system.

`service.py` is the way in for rows and directories, `files/` for what is in them, `quota/` for
an agent that works in one. Names of directories are ids of ours; what a person writes never becomes
part of a path of the host.
"""
