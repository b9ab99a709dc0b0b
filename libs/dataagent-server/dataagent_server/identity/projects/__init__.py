"""Projects: groups of a tenant's sessions."""
