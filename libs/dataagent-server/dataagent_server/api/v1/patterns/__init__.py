"""Routes of `/api/v1/agent/patterns` and `/api/v1/agent/pattern-offers`."""
