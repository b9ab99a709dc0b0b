"""Assistants: named agents of a tenant, and the one that is always there."""
