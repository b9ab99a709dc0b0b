"""Commands that only look: models, usage, context, doctor."""
