"""Shared by tests of the server: the application in this process, and as a real process."""
