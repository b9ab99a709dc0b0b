"""How processes tell each other: Redis if given, else PostgreSQL, else by looking (`polling`)."""
