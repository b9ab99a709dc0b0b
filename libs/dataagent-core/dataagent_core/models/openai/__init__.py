"""OpenAI's wire with less work for each call than LangChain's own models do."""
