"""What a tool does to the world, and so what may happen to a call whose outcome is unknown.

    pure          only reads: may run again
    idempotent    running twice is the same as once: may run again
    compensable   can be checked or undone: a probe or a person decides
    irreversible  may have happened: a person decides

A tool says which in its metadata; one that says nothing is taken for irreversible.
"""

from typing import Any, Literal, get_args

from langchain_core.tools import BaseTool

Effect = Literal["pure", "idempotent", "compensable", "irreversible"]

# After these a call is made again, checked or undone without a person.
MILD_EFFECTS: frozenset[str] = frozenset({"pure", "idempotent", "compensable"})

_EFFECT_KEY = "effect"

# Tools of LangChain that cannot say it themselves. A sub-agent started again goes on where it was,
# and its own calls are journalled one by one.
_KNOWN: dict[str, Effect] = {"write_todos": "idempotent", "task": "idempotent"}


def effect_metadata(effect: Effect) -> dict[str, str]:
    """Give what a tool's `metadata` must hold to state its effect."""
    return {_EFFECT_KEY: effect}


def read_stated_effect(tool: BaseTool) -> Any:
    """Read what a tool states, as it is; None where it states nothing."""
    return (tool.metadata or {}).get(_EFFECT_KEY)


def read_effect(tool: BaseTool) -> Effect:
    """Read a tool's effect; what it does not state cannot be assumed harmless."""
    stated = read_stated_effect(tool)
    if stated in get_args(Effect):
        return stated
    return _KNOWN.get(tool.name, "irreversible")
