"""The one form of an error, and the places that answer with it."""
