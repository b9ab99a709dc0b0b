"""From what an episode says to what changes in the graph: who is the same, what began and ended."""
