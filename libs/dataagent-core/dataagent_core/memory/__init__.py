"""Memory: what outlives a session."""

from dataagent_core.memory.agent_memory import MEMORY_PATH, AgentMemoryMiddleware, MemoryFile

__all__ = ["MEMORY_PATH", "AgentMemoryMiddleware", "MemoryFile"]
