"""Compositions: up to five tools as one, in sequence, side by side, or by condition (S2 §7.4)."""

from dataagent_core.tools.composition.calls import (
    Admit,
    MemberCall,
    MemberResult,
    RunTool,
    admit_all,
)
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.result import CompositionResult
from dataagent_core.tools.composition.run import run_composition
from dataagent_core.tools.composition.tool import composition_tool, member_names

__all__ = [
    "Admit",
    "CompositionResult",
    "MemberCall",
    "MemberResult",
    "RunTool",
    "ToolComposition",
    "admit_all",
    "composition_tool",
    "member_names",
    "run_composition",
]
