"""Agents that delegate, for tests: sub-agents, and models that give them tasks."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, SystemMessage
from langchain_core.outputs import ChatGenerationChunk
from pydantic import Field

from dataagent_core.models import Script, ScriptedChatModel
from dataagent_core.subagents import SubAgent, SubAgentTrigger


class RememberingModel(ScriptedChatModel):
    """A model that remembers of each call its instructions and the names of its tools."""

    calls: list[tuple[str, list[str]]] = Field(default_factory=list[tuple[str, list[str]]])

    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        told = "".join(m.text for m in messages if isinstance(m, SystemMessage))
        self.calls.append((told, [each.name for each in kwargs.get("tools", ())]))
        async for chunk in super()._astream(messages, *args, **kwargs):
            yield chunk

    def called_as(self, prompt: str) -> list[tuple[str, list[str]]]:
        """List the calls whose instructions hold a sentence."""
        return [call for call in self.calls if prompt in call[0]]


def called(name: str, /, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args}


def task(what: str, to: str = "general-purpose", **more: Any) -> dict[str, Any]:
    return called("task", description=what, subagent_type=to, **more)


def specialist(name: str, **values: Any) -> SubAgent:
    values.setdefault("system_prompt", f"You are {name}.")
    values.setdefault("trigger", SubAgentTrigger(description=f"Use {name} for its work."))
    return SubAgent(id=name, name=name, **values)


def make_script(tasks: Sequence[dict[str, Any]], **parts: list[dict[str, Any]]) -> Script:
    """Write an agent that gives these tasks at once, and sub-agents by how their tasks begin."""
    scenarios = [{"match": f"^{name}", "steps": steps} for name, steps in parts.items()]
    agent = {"steps": [{"tool_calls": list(tasks)}, {"text": "all done"}]}
    return Script.model_validate({"scripts": [*scenarios, agent]})


def playing(*tasks: dict[str, Any], **parts: list[dict[str, Any]]) -> RememberingModel:
    """Make a model that plays such a script."""
    return RememberingModel(script=make_script(tasks, **parts))


def results_of(events: list[Any], tool: str = "task") -> list[Any]:
    return [e for e in events if e.event_type == "tool_result" and e.tool_name == tool]


def ends_of(events: list[Any]) -> dict[str, Any]:
    """Give the ends of tasks by the names of their sub-agents."""
    ended = ("finished", "failed")
    return {e.name: e for e in events if e.event_type == "subagent" and e.phase in ended}
