"""Memory: what outlives a session."""

from dataagent_core.memory.agent_memory import (
    MEMORY_PATH,
    PROJECT_INSTRUCTIONS,
    AgentMemoryMiddleware,
    PromptFile,
    memory_files,
    read_memory,
)

__all__ = [
    "MEMORY_PATH",
    "PROJECT_INSTRUCTIONS",
    "AgentMemoryMiddleware",
    "PromptFile",
    "memory_files",
    "read_memory",
]
