"""Communities of the graph: entities that belong together, found by Louvain's method (S2 §11)."""
