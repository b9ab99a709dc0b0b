"""Undoes what a command left for programs of the host: hooks, editor tasks, `.envrc`."""
