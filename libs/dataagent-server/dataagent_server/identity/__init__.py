"""Who uses the server: authentication, tenants, users, projects, and the audit of what they did."""
