"""Users: their names, how they sign in, and their API keys."""
