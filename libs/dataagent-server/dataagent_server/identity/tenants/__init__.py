"""Tenants, and who is a member of which with what role."""
