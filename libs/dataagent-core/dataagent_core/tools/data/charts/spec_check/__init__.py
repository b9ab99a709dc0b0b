"""Which chart specifications are allowed."""
