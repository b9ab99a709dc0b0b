"""The context window: which part of a long conversation a model is shown (S2 §5.2)."""

from dataagent_core.config.limits.context import (
    OUTPUT_TOKEN_MAX,
    PRUNE_MINIMUM_TOKENS,
    PRUNE_PROTECT_TOKENS,
    PRUNE_PROTECTED_TOOLS,
)
from dataagent_core.context.compaction.prune import CompactionResult, prune_tool_outputs
from dataagent_core.context.context_record import ContextRecord
from dataagent_core.context.middleware import ContextMiddleware
from dataagent_core.context.report import ContextReport
from dataagent_core.context.view import view
from dataagent_core.context.window_manager import (
    ContextWindowConfig,
    ContextWindowManager,
    ModelLimits,
    TokenCount,
    calculate_usable_context,
    is_overflow,
    should_compact,
)

__all__ = [
    "OUTPUT_TOKEN_MAX",
    "PRUNE_MINIMUM_TOKENS",
    "PRUNE_PROTECTED_TOOLS",
    "PRUNE_PROTECT_TOKENS",
    "CompactionResult",
    "ContextMiddleware",
    "ContextRecord",
    "ContextReport",
    "ContextWindowConfig",
    "ContextWindowManager",
    "ModelLimits",
    "TokenCount",
    "calculate_usable_context",
    "is_overflow",
    "prune_tool_outputs",
    "should_compact",
    "view",
]
