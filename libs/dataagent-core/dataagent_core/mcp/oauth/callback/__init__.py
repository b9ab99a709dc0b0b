"""The way back of a sign-in: the page a browser returns to, and what it brings."""
