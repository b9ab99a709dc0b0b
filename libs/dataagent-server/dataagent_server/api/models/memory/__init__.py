"""Memories and the knowledge graph, as the API takes and shows them."""
