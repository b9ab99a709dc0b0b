"""Agents that delegate, for tests: sub-agents, and models that give them tasks."""

from typing import Any

from agents import scripted

from dataagent_core.subagents import SubAgent, SubAgentTrigger


def called(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args}


def task(what: str, to: str = "general-purpose", **more: Any) -> dict[str, Any]:
    return called("task", description=what, subagent_type=to, **more)


def specialist(name: str, **values: Any) -> SubAgent:
    values.setdefault("system_prompt", f"You are {name}.")
    values.setdefault("trigger", SubAgentTrigger(description=f"Use {name} for its work."))
    return SubAgent(id=name, name=name, **values)


def playing(*tasks: dict[str, Any], **parts: list[dict[str, Any]]) -> Any:
    """Play an agent that gives these tasks at once, and sub-agents by how their tasks begin."""
    scenarios = [{"match": f"^{name}", "steps": steps} for name, steps in parts.items()]
    agent = {"steps": [{"tool_calls": list(tasks)}, {"text": "all done"}]}
    return scripted(scripts=[*scenarios, agent])


def results_of(events: list[Any], tool: str = "task") -> list[Any]:
    return [e for e in events if e.event_type == "tool_result" and e.tool_name == tool]


def ends_of(events: list[Any]) -> dict[str, Any]:
    """Give the ends of tasks by the names of their sub-agents."""
    ended = ("finished", "failed")
    return {e.name: e for e in events if e.event_type == "subagent" and e.phase in ended}
