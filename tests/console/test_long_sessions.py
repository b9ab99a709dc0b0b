"""Sessions of thousands of events open, and hours of streaming leave nothing behind."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.console.installation import Installation
from tests.console.long_logs import LAST_WORDS, chunks, turns, written
from tests.console.visitor import Visitor
from tests.counts import rounds

pytestmark = pytest.mark.slow

CHUNKS = rounds(72_000, soak=360_000)
# What the texts themselves take, and some room for the browser's own moods.
GROWTH_MB_MAX = 60.0
MB = 1024 * 1024


# Each part of the page asks once, however many runs are replayed: some 270 here.
REQUESTS_MAX = 16


def test_a_session_of_five_thousand_events_opens_at_its_end_and_asks_little(
    installation: Installation, visit: Callable[[], Visitor]
):
    session_id = written(installation, turns(5000))
    visitor = visit()
    asked: list[str] = []
    visitor.context.on("request", lambda request: asked.append(request.url))
    page = visitor.open(f"/chat/{session_id}")
    expect(page.get_by_text(LAST_WORDS).last).to_be_visible()
    page.wait_for_load_state("networkidle")
    asked = [url for url in asked if "/api/" in url]
    assert len(asked) <= REQUESTS_MAX, asked


@pytest.mark.timeout(900)
def test_memory_is_flat_over_a_replay_of_hours_of_chunks(
    installation: Installation, visit: Callable[[], Visitor]
):
    few = used_mb(visit().open(f"/chat/{written(installation, chunks(CHUNKS // 100))}"))
    many = used_mb(visit().open(f"/chat/{written(installation, chunks(CHUNKS))}"))
    assert many - few < GROWTH_MB_MAX, f"{few:.0f} MB after a hundredth, {many:.0f} MB after all"


def used_mb(page: Page) -> float:
    """Wait for the end of the session, and say what the page then holds."""
    expect(page.get_by_text(LAST_WORDS).last).to_be_visible(timeout=400_000)
    cdp = page.context.new_cdp_session(page)
    cdp.send("HeapProfiler.enable")
    cdp.send("HeapProfiler.collectGarbage")
    return float(cdp.send("Runtime.getHeapUsage")["usedSize"]) / MB
