"""Data commands without a model: the same query service, guard and results as the agent's."""
