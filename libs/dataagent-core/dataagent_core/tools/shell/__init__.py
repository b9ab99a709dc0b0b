"""The `shell` tool."""
