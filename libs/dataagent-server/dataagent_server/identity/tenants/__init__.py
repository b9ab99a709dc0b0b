"""Tenants and their members with roles."""
