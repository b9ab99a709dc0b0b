"""Read-only commands: models, usage, context, doctor."""
