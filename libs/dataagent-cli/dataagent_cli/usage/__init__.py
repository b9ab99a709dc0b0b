"""`dataagent usage` and `dataagent context`: what models cost, and where their window went."""
