"""The events about a compaction, and the open requests that it must keep."""

import hashlib
from collections.abc import Iterable

from dataagent_core.context.context_record import ContextRecord
from dataagent_core.context.window_manager import ContextWindowManager
from dataagent_core.events import ContextCompressedEvent, HITLRequestEvent, WarningEvent
from dataagent_core.language.unicode_text import storable
from dataagent_core.session import Run


def compressed_event(
    run: Run,
    record: ContextRecord,
    *,
    original_messages: int,
    final_messages: int,
    tokens: int,
    budget: int,
) -> ContextCompressedEvent:
    """Make the event that says how the view changed (S2 §5.2.8)."""
    return ContextCompressedEvent(
        event_id=event_id_of(run, record),
        was_compressed=True,
        compression_strategy=record.strategy,
        original_message_count=original_messages,
        final_message_count=final_messages,
        estimated_tokens=tokens,
        token_budget=budget,
        budget_utilization_pct=round(100 * tokens / budget, 2) if budget else 0.0,
        summarized_message_count=record.covered,
        summary=storable(record.summary) or None,
        from_seq=record.from_seq,
        to_seq=record.to_seq,
        pins=[storable(pin.to_event()) for pin in record.pins],
    )


def event_id_of(run: Run, record: ContextRecord) -> str:
    """Return the event id of a view: the same when the step is repeated."""
    # All but the summary, which a model writes differently each time.
    cuts = sorted((name, cut.kept_tokens) for name, cut in record.cuts.items())
    what = repr((record.version, record.covered_to, cuts, record.pins, record.ranges))
    digest = hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"compressed:{run.run_id}:{record.made_after}:{digest}"


def nothing_to_compact_event() -> WarningEvent:
    """Warn that there is nothing to leave out."""
    return WarningEvent(
        code="NOTHING_TO_COMPACT",
        message="There is nothing to make shorter: the last two turns are always shown as they "
        "are, and nothing before them would take less room as a summary.",
    )


def large_instructions_event(run: Run, tokens: int, manager: ContextWindowManager) -> WarningEvent:
    """Warn that the instructions exceed their share of the window."""
    return WarningEvent(
        # Once in a session is enough.
        event_id=f"instructions large:{run.session_id}",
        code="INSTRUCTIONS_LARGE",
        message=(
            f"Instructions, notes and skills take {tokens:,} tokens of every request, more than "
            f"their {manager.config.system_budget_pct:.0%} of the window "
            f"({manager.system_tokens:,}). Shorten agent.md or AGENTS.md, or raise "
            "DATAAGENT_SYSTEM_BUDGET_PCT."
        ),
    )


def unknown_window_event(run: Run, manager: ContextWindowManager) -> WarningEvent:
    """Warn that the model's window is unknown, and say how to set it."""
    return WarningEvent(
        # Once in a session is enough.
        event_id=f"window unknown:{run.session_id}",
        code="MODEL_WINDOW_UNKNOWN",
        message=(
            "Nobody knows how many tokens the context window of this model has; "
            f"{manager.window_tokens:,} are assumed. Say it in config.toml, as context_length "
            'under [models."NAME"], or set DATAAGENT_MAX_CONTEXT_TOKENS.'
        ),
    )


def open_questions(requests: Iterable[HITLRequestEvent]) -> list[tuple[str, int | None]]:
    """Describe the human requests that have no answer yet."""
    found: list[tuple[str, int | None]] = []
    for request in requests:
        actions = ", ".join(str(one.get("name", "")) for one in request.action_requests)
        text = request.question or (f"approval of {actions}" if actions else request.kind)
        found.append((f"{request.kind}: {text}", request.seq))
    return found
