"""Commands on stored sessions."""
