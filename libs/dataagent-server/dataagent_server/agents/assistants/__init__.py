"""Assistants: named agent configurations of a tenant, and the built-in one."""
