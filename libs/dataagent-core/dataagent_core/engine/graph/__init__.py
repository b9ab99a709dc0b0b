"""The LangGraph graph: one for all agents, and what a program sees that calls it itself."""
