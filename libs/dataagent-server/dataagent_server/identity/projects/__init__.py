"""Projects: what a tenant's sessions are sorted into."""
