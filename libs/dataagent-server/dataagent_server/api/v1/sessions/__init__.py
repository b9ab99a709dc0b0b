"""Routes of `/api/v1/sessions`, and what goes on in a session: runs, events, requests."""
