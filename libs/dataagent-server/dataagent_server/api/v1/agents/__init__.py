"""`/api/v1/agents` and `/api/v1/subagents`: assistants, sub-agents and the defaults for them."""
