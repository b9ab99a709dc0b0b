"""Routes of `/api/v1/data` and of reports."""
