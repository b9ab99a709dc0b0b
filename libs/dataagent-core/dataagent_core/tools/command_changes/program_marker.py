"""How a tool says that it runs programs, which may change any file of the workspace."""

from langchain_core.tools import BaseTool

_KEY = "runs_programs"


def make_program_metadata() -> dict[str, bool]:
    """Give what a tool's `metadata` must hold to say so."""
    return {_KEY: True}


def runs_programs(tool: BaseTool | None) -> bool:
    """Say whether a tool runs programs in the workspace."""
    return tool is not None and (tool.metadata or {}).get(_KEY) is True
