"""The LangGraph graph: shared by agents, and the interface for programs that call it."""
