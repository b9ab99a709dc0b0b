"""Search in sessions and messages."""
