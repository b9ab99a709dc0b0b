"""`dataagent-server`: for whoever runs the server."""
