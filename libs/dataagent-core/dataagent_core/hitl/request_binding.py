"""Binds a decision to its request: by the call it is about, and a hash of the arguments.

An approval counts for one call, with exactly the arguments the person saw or wrote. It carries the
proof (`bound_to`), which is written into the log with it: when the run comes back to the call, in
this process or after a crash, an answer that is about something else is no answer, and the person
is asked again. An approval of a call does not approve making it again, and one of making it again
counts until it has begun again. A binding that a client sends is replaced by ours.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from dataagent_core.hitl.types import ActionRequest, Binding, Decision


def hash_of_args(args: Mapping[str, Any]) -> str:
    """Hash arguments."""
    text = json.dumps(args, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def bound(decision: Decision, action: ActionRequest) -> Decision:
    """Bind an answer to the action it was given for."""
    return {**decision, "bound_to": _binding(decision, action)}


def was_for_another_version(decision: Decision, action: ActionRequest) -> bool:
    """Say whether an answer was given for this very call, before its tool changed."""
    bound_to = decision.get("bound_to")
    if bound_to is None or bound_to == (now := _binding(decision, action)):
        return False
    return {**bound_to, "version": now.get("version", "")} == now


def is_bound_to(decision: Decision, action: ActionRequest) -> bool:
    """Say whether an answer was given for this call, with these arguments."""
    return decision.get("bound_to") == _binding(decision, action)


def _binding(decision: Decision, action: ActionRequest) -> Binding:
    # As the gate wrote it: what a log makes of odd arguments must not change what they hash to.
    asked = action.get("args_hash") or hash_of_args(action["args"])
    edited = decision.get("args") if decision["type"] == "edit" else None
    binding: Binding = {
        "call_key": action.get("call_key", ""),
        "asked_hash": asked,
        "runs_hash": asked if edited is None else hash_of_args(edited),
        "repeats": action.get("times_begun", 0),
    }
    if "version" in action:
        binding["version"] = action["version"]
    return binding
