"""Workspaces (S4): a directory with a quota that belongs to a user; the agent's file system.

`workspace_service.py` manages rows and directories, `files/` the files in them, and `quota/` counts
what an agent writes. Directories are named by our ids: text from a user never becomes part of a
path of the host.
"""
