"""The agents of runs: building them, keeping them ready, their models and tools."""
