"""The form of an error, and the middleware that answers with it."""
