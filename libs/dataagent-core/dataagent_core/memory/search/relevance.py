"""How much of a query one memory answers, whatever else was found. Pure.

A score is relative to the other results: the best of nothing useful has a high one. Whoever acts
on a result by itself, as recall does, asks for its relevance.
"""

from dataagent_core.memory.search.index_text import list_terms
from dataagent_core.memory.search.query_text import QueryText


def rate_relevance(query: QueryText, content: str, cosine: float) -> float:
    """Return the larger of the part of the query's words in a text, and the cosine of both."""
    terms = set(list_terms(content))
    shared = sum(word in terms for word in query.words)
    part = shared / len(query.words) if query.words else 0.0
    return max(0.0, min(1.0, max(part, cosine)))
