"""S1's name for `memory/agent_memory.py`."""

from dataagent_core.memory.agent_memory import AgentMemoryMiddleware

__all__ = ["AgentMemoryMiddleware"]
