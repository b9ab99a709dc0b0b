"""The steps of a plan while they are carried out, by sub-agents or by the agent itself."""
