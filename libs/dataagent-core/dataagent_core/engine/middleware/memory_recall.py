"""Tells the model what is remembered and fits the run's message.

While nothing is remembered, memory's tools are not offered and nothing else changes either.
What was found when the run began is in its state by ids, so every call of it reads the same, and
nothing of what is forgotten. A sub-agent recalls nothing by itself: whoever gave it the task puts
what matters into it.
"""

from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse

from dataagent_core.engine.loops.turn import without_tools
from dataagent_core.engine.memory.memory_use import MemoryUse
from dataagent_core.engine.memory.recall import has_memories, recall, write_note
from dataagent_core.engine.memory.recalled_state import MEMORY_STATE, Recalled, RecalledState
from dataagent_core.engine.middleware.message_note import add_note
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.permissions.tool_groups import GROUPS
from dataagent_core.runs import run_context


class MemoryRecallMiddleware(AgentMiddleware[Any, Any, Any]):
    """Adds a note to the model calls of a run; one without memories passes unchanged."""

    state_schema = RecalledState

    def __init__(self, use: MemoryUse, *, subagent: bool = False) -> None:
        super().__init__()
        self._use = use
        self._recalls = not subagent

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        if MEMORY_STATE in state:
            return {}  # a corrected answer is asked for: the message is the same
        has_any = await has_memories(self._use)
        told = await recall(self._use, run_context(runtime)) if has_any and self._recalls else []
        return {MEMORY_STATE: Recalled(has_any=has_any, memory_ids=told)}

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        recalled: Recalled | None = request.state.get(MEMORY_STATE)
        if recalled is None or not recalled["has_any"]:
            return await handler(without_tools(request, GROUPS["memory"]))
        note = await write_note(self._use, recalled["memory_ids"])
        if not note:
            return await handler(request)
        message_id = run_context(request.runtime).run.message_id
        messages = add_note(request.messages, message_id, note)
        return await handler(request.override(messages=messages))
