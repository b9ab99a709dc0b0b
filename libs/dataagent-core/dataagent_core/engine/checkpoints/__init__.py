"""What LangGraph keeps of a run, and how the next one goes on from it."""
