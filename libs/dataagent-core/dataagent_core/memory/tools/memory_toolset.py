"""Makes the tools of memory for one agent; those of the graph only where there is one."""

from langchain_core.tools import BaseTool

from dataagent_core.memory.tools.graph_tools import entity_lookup, episode_retrieval, graph_query
from dataagent_core.memory.tools.memory_tools import memory_create, memory_search
from dataagent_core.memory.tools.tool_services import MemoryToolServices


def make_memory_tools(services: MemoryToolServices) -> list[BaseTool]:
    """Make the tools."""
    tools = [memory_search.bind(services), memory_create.bind(services)]
    if services.graph is not None:
        tools += [one.bind(services) for one in (graph_query, entity_lookup, episode_retrieval)]
    return tools
