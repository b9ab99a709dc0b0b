"""The tools by which a model asks memory: memories, episodes, and what joins them (S2 §7.1)."""

from dataagent_core.memory.tools.memory_toolset import make_memory_tools
from dataagent_core.memory.tools.tool_services import MemoryToolServices

__all__ = ["MemoryToolServices", "make_memory_tools"]
