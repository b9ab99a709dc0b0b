"""S2's shares of a window mean something: each of its settings changes what happens."""

from pathlib import Path
from typing import Any

import pytest
from agents import events_of
from long_sessions import agent, measuring

from dataagent_core.events import ContextCompressedEvent

TEXT = "Question {n}: never use table_{n:04}, and " + "tell me more about this customer. " * 20


def warnings(events: list[Any], code: str) -> list[str]:
    return [e.message for e in events if e.event_type == "warning" and e.code == code]


@pytest.mark.requirement("F7-1")
async def test_instructions_beyond_their_share_are_told_once(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Prices are net. " * 2_000)
    executor_ = agent(measuring({"text": "ok"}), tmp_path, 64_000)
    events = [*await events_of(executor_), *await events_of(executor_)]
    (told,) = warnings(events, "INSTRUCTIONS_LARGE")
    assert "more than their 10% of the window (6,400)" in told
    assert "DATAAGENT_SYSTEM_BUDGET_PCT" in told


async def test_within_their_share_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Prices are net. " * 2_000)
    chosen = {"system_budget_pct": 0.25, "history_budget_pct": 0.35}
    executor_ = agent(measuring({"text": "ok"}), tmp_path, 64_000, settings=chosen)
    assert warnings(await events_of(executor_), "INSTRUCTIONS_LARGE") == []


async def pins_after(folder: Path, turns: int, **chosen: float) -> int:
    model = measuring({"text": "An answer. " * 60})
    executor_ = agent(model, folder, 24_000, settings=chosen)
    last = 0
    for n in range(turns):
        for event in await events_of(executor_, TEXT.format(n=n)):
            if isinstance(event, ContextCompressedEvent):
                last = len(event.pins)
    return last


@pytest.mark.requirement("F7-1")
async def test_older_messages_take_no_more_than_their_share(tmp_path: Path) -> None:
    usual = await pins_after(tmp_path, 70)
    small = await pins_after(tmp_path, 70, history_budget_pct=0.02)
    assert 0 < small < usual
