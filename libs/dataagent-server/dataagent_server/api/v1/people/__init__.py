"""Routes about people: signing in, users, members, tenants, projects, keys, the audit log."""
