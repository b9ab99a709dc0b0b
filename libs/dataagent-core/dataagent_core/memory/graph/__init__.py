"""The knowledge graph of memory (S2 §11): episodes, entities, relations and communities."""
