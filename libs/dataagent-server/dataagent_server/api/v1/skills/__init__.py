"""Routes of skills, of what a tenant says of the system's, and of tool compositions."""
