"""Runs that work by a plan, for tests: a planner, sub-agents and the agent in one script."""

import json
from typing import Any

from subagent_scripts import RememberingModel

from dataagent_core.models import Script

# What makes a run planned, whatever its message says.
ALWAYS = {"planning": {"mode": "always"}}
ASKING = {"planning": {"mode": "always", "ask": True}}


def step(number: int, description: str, *needs: int, **more: Any) -> dict[str, Any]:
    return {"step_number": number, "description": description, "dependencies": needs, **more}


def plan_of(*steps: dict[str, Any], confidence: float = 0.95) -> str:
    return json.dumps({"confidence": confidence, "steps": steps})


def planned(
    *plans: str, agent: list[dict[str, Any]], **workers: list[dict[str, Any]]
) -> RememberingModel:
    """Make a model: its plans in order, its own turns, and sub-agents by how tasks begin."""
    scenarios = [
        {"match": r'^\{"message"', "steps": [{"text": text} for text in plans]},
        *({"match": f"^{name}", "steps": steps} for name, steps in workers.items()),
        {"steps": agent},
    ]
    return RememberingModel(script=Script.model_validate({"scripts": scenarios}))


def find(events: list[Any], kind: str) -> list[Any]:
    return [event for event in events if event.event_type == kind]
