"""Compositions: up to five tools as one, in sequence, side by side, or by condition (S2 §7.4)."""

from dataagent_core.tools.composition.composition_order import apply_stages
from dataagent_core.tools.composition.composition_result import CompositionResult
from dataagent_core.tools.composition.composition_run import run_composition
from dataagent_core.tools.composition.composition_store import (
    CompositionExecution,
    CompositionStore,
    MemberStatistics,
    SqliteCompositionStore,
)
from dataagent_core.tools.composition.composition_tool import (
    list_member_names,
    make_composition_tool,
)
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.member_calls import (
    Admit,
    MemberCall,
    MemberResult,
    RunTool,
    admit_all,
)
from dataagent_core.tools.composition.optimizer import CompositionProposal, propose_order

__all__ = [
    "Admit",
    "CompositionExecution",
    "CompositionProposal",
    "CompositionResult",
    "CompositionStore",
    "MemberCall",
    "MemberResult",
    "MemberStatistics",
    "RunTool",
    "SqliteCompositionStore",
    "ToolComposition",
    "admit_all",
    "apply_stages",
    "list_member_names",
    "make_composition_tool",
    "propose_order",
    "run_composition",
]
