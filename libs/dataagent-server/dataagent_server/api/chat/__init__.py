"""What REST, WebSocket and event streams share: starting a run, and following a session."""
