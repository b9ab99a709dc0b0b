"""Adapters of the session ports. Each is opened for one tenant."""
