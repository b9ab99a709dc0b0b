"""Delegation: the tool `task`, the sub-agents behind it, and what they may use."""
