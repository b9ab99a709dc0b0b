"""Which models a provider says it has."""
