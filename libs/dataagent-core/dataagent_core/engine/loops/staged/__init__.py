"""The staged loop (S3): reason, plan, execute, review, as a second loop of the same executor."""
