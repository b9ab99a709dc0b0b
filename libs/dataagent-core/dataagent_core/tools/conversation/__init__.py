"""Tools that speak with a person: questions, plans, summaries."""
