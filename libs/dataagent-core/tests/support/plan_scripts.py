"""Runs that work by a plan, for tests: a planner, sub-agents and the agent in one script."""

import json
from collections.abc import Sequence
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
    *plans: str,
    agent: list[dict[str, Any]],
    beside: Sequence[tuple[str, list[dict[str, Any]]]] = (),
    **workers: list[dict[str, Any]],
) -> RememberingModel:
    """Make a model: its plans in order, its own turns, and sub-agents by how tasks begin.

    The first plan is for the message, each one after it for planning again. Turns that a plan takes
    count as the agent's: they have a place in `agent`, and what stands there is not played.
    """
    again = [
        {"match": rf'"first_number": {number}\b', "steps": [{"text": text}]}
        for number, text in _numbered(plans[1:])
    ]
    scenarios = [
        *({"match": pattern, "steps": steps} for pattern, steps in beside),
        *again,
        {"match": r'^\{"message"', "steps": [{"text": plans[0]}] if plans else []},
        *({"match": f"^{name}", "steps": steps} for name, steps in workers.items()),
        {"steps": agent},
    ]
    return RememberingModel(script=Script.model_validate({"scripts": scenarios}))


def _numbered(plans: Sequence[str]) -> list[tuple[int, str]]:
    """Find for which next number each later plan is."""
    return [(json.loads(text)["steps"][0]["step_number"], text) for text in plans]


def find(events: list[Any], kind: str) -> list[Any]:
    return [event for event in events if event.event_type == kind]
