"""Which calls are watched: all that are not pure and do something themselves. Pure.

A sub-agent's calls, and those a composition is made of, pass through the pipeline one by one. What
a person does in the long time between them is theirs, so the call around them is not watched.
"""

from dataagent_core.tools.registry import RegisteredTool

# Hands work on, or changes the agent's plan only.
_NO_FILES = frozenset({"task", "write_todos"})


def is_watched(entry: RegisteredTool) -> bool:
    """Say whether a call of this tool may itself change files."""
    own = entry.composition is None and entry.tool.name not in _NO_FILES
    return own and entry.effect != "pure"
