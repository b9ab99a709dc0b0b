"""The sub-agents that come with DataAgent (S2 §9.2): files of this package, as a person's are.

Each can be overridden by a file or a row of the same name, and copied as a beginning.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from dataagent_core.subagents.subagent import SubAgent
from dataagent_core.subagents.subagent_file import parse_subagent

_FOLDER: Final = Path(__file__).parent / "built_in"


@cache
def built_in_subagents() -> tuple[SubAgent, ...]:
    """Give the built-in sub-agents, by name."""
    return tuple(
        replace(
            parse_subagent(path.read_text("utf-8"), path.stem),
            is_built_in=True,
            # They name tools that may not exist yet.
            warnings=(),
        )
        for path in sorted(_FOLDER.glob("*.md"))
    )
