"""Sub-agents of tenants and projects (S2 §9, §14.3): rows beside the built-in ones."""
