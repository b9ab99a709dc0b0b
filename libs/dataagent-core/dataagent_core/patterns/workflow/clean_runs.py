"""Which runs a workflow may be compiled from: clean ones, with the same calls. Pure."""

from dataagent_core.patterns.pattern_text import is_tool_name
from dataagent_core.patterns.trace import InteractionTrace, TracedCall


def is_clean(trace: InteractionTrace) -> bool:
    """Say whether a run succeeded without a failure or a correction."""
    steps = list_steps(trace)
    return (
        trace.success
        and not trace.by_workflow
        and bool(steps)
        and not trace.corrections
        and not trace.calls_left_out
        and all(call.succeeded and is_tool_name(call.tool_name) for call in trace.tool_calls)
    )


def list_steps(trace: InteractionTrace) -> list[TracedCall]:
    """List the agent's own calls that do some of the work."""
    return [
        call
        for call in trace.tool_calls
        if call.subagent_id is None and call.content != "conversation"
    ]


def find_chain(trace: InteractionTrace) -> tuple[tuple[str, ...], ...]:
    """Return what runs must have in common: the tools, and the names of their arguments."""
    return tuple((call.tool_name, *sorted(call.args)) for call in list_steps(trace))
