"""Middleware around model and tool calls; `engine/stack.py` lists it in order."""
