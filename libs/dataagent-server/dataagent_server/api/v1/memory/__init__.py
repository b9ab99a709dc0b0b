"""Routes of `/api/v1/memories` and `/api/v1/graph`."""
