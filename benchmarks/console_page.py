"""What is measured inside the page: paints, frames, waits, memory."""

import json
import statistics
import time
from dataclasses import dataclass

import httpx
from console_setup import STREAM_S, ConsoleSetup
from playwright.sync_api import Page

from tests.console.console_server import KEY
from tests.console.long_logs import LAST_WORDS, chunks, written

WAIT_MS = 400_000
IDLE_S = 3
MB = 1024 * 1024

_PAINT = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null"""
_RECORD = """() => {
  window.frames_ = [];
  const each = (at) => { window.frames_.push(at); window.frame_ = requestAnimationFrame(each); };
  window.frame_ = requestAnimationFrame(each);
}"""
_RECORDED = "() => { cancelAnimationFrame(window.frame_); return window.frames_; }"
_SHOWN = "(words) => document.body?.textContent.includes(words) && performance.now()"
_CLICKED = """(link) => link.addEventListener(
  "click", () => { window.clickedAt = performance.now(); }, { capture: true })"""
_SCROLL = """(seconds) => new Promise((resolve) => {
  const boxes = [...document.querySelectorAll("*")].filter((each) =>
    each.scrollHeight > each.clientHeight + 100 &&
    ["auto", "scroll"].includes(getComputedStyle(each).overflowY));
  const box = boxes.sort((a, b) => b.scrollHeight - a.scrollHeight)[0];
  const frames = [];
  const end = performance.now() + seconds * 1000;
  const each = (at) => {
    frames.push(at);
    box.scrollBy(0, -60);
    if (performance.now() < end) requestAnimationFrame(each); else resolve(frames);
  };
  requestAnimationFrame(each);
})"""
_PARSE = """async (id) => {
  const lines = [];
  for (let more = true; more; ) {
    const answer = await fetch(`/api/v1/sessions/${id}/events?after=${lines.length}`);
    const page = await answer.json();
    lines.push(...page.events.map((event) => JSON.stringify(event)));
    more = page.has_more;
  }
  const began = performance.now();
  for (const line of lines) JSON.parse(line);
  return performance.now() - began;
}"""


@dataclass(frozen=True)
class Frames:
    """The times of drawn frames, in milliseconds."""

    at: list[float]

    @property
    def per_second(self) -> float:
        return (len(self.at) - 1) * 1000 / (self.at[-1] - self.at[0])

    @property
    def longest_ms(self) -> float:
        return max(late - early for early, late in zip(self.at, self.at[1:], strict=False))


def first_paint_ms(setup: ConsoleSetup, path: str) -> float:
    with setup.visitor() as context:
        page = context.new_page()
        page.goto(setup.console_server.url + path)
        return float(page.wait_for_function(_PAINT, timeout=WAIT_MS).json_value())


def idle_frames(setup: ConsoleSetup) -> Frames:
    """Frames of an idle page."""
    with setup.visitor() as context:
        page = context.new_page()
        page.goto(setup.console_server.url + "/api/v1/health")
        return _recorded(page, lambda: page.wait_for_timeout(IDLE_S * 1000))


def streaming_frames(setup: ConsoleSetup) -> Frames:
    """Frames from the first words of an answer to its end."""
    session_id = setup.console_server.ask("POST", "/sessions", {})["session_id"]
    with setup.visitor() as context:
        page = context.new_page()
        page.goto(f"{setup.console_server.url}/chat/{session_id}")
        begin(setup, session_id)
        page.wait_for_function(_SHOWN, arg="_10,", timeout=WAIT_MS)
        # The end is not awaited in the page, which would be measured too.
        return _recorded(page, lambda: page.wait_for_timeout((STREAM_S - 2) * 1000))


def begin(setup: ConsoleSetup, session_id: str) -> None:
    """Send a message and disconnect: the run continues."""
    body = {"conversation_id": session_id, "message": "go"}
    headers = {"X-API-Key": KEY}
    url = f"{setup.console_server.url}/api/v1/agent/chat"
    with (
        httpx.Client(trust_env=False, timeout=60) as client,
        client.stream("POST", url, json=body, headers=headers) as answer,
    ):
        next(answer.iter_lines())


def open_ms(setup: ConsoleSetup, session_id: str) -> float:
    """From the navigation to the last words on the screen, with an empty cache."""
    with setup.visitor() as context:
        page = context.new_page()
        page.goto(f"{setup.console_server.url}/chat/{session_id}", wait_until="commit")
        return float(page.wait_for_function(_SHOWN, arg=LAST_WORDS, timeout=WAIT_MS).json_value())


def click_ms(setup: ConsoleSetup, session_id: str) -> float:
    """From the click in the list of an open console to the last words on the screen."""
    with setup.visitor() as context:
        page = context.new_page()
        page.goto(f"{setup.console_server.url}/chat", wait_until="networkidle")
        link = page.locator(f"a[href$='{session_id}']").first
        link.evaluate(_CLICKED)
        link.click()
        shown = page.wait_for_function(_SHOWN, arg=LAST_WORDS, timeout=WAIT_MS).json_value()
        return float(shown) - float(page.evaluate("window.clickedAt"))


def scroll_frames(setup: ConsoleSetup, session_id: str) -> Frames:
    with setup.visitor() as context:
        page = context.new_page()
        page.goto(f"{setup.console_server.url}/chat/{session_id}")
        page.wait_for_function(_SHOWN, arg=LAST_WORDS, timeout=WAIT_MS)
        return Frames(page.evaluate(_SCROLL, IDLE_S))


def parse_ms(setup: ConsoleSetup, session_id: str) -> float:
    with setup.visitor() as context:
        page = context.new_page()
        page.goto(setup.console_server.url)
        return statistics.median(float(page.evaluate(_PARSE, session_id)) for _ in range(3))


def replay_mb(setup: ConsoleSetup, total: int) -> tuple[float, float, float]:
    """Memory after a hundredth of the chunks and after all; and how many came in a second."""
    few, _ = _held(setup, written(setup.console_server, chunks(total // 100)))
    many, seconds = _held(setup, written(setup.console_server, chunks(total)))
    return few, many, total / seconds


def _held(setup: ConsoleSetup, session_id: str) -> tuple[float, float]:
    with setup.visitor() as context:
        page = context.new_page()
        began = time.perf_counter()
        page.goto(f"{setup.console_server.url}/chat/{session_id}")
        page.wait_for_function(_SHOWN, arg=LAST_WORDS, polling=500, timeout=WAIT_MS)
        seconds = time.perf_counter() - began
        cdp = context.new_cdp_session(page)
        cdp.send("HeapProfiler.enable")
        cdp.send("HeapProfiler.collectGarbage")
        return float(cdp.send("Runtime.getHeapUsage")["usedSize"]) / MB, seconds


def _recorded(page: Page, meanwhile: object) -> Frames:
    page.evaluate(_RECORD)
    assert callable(meanwhile)
    meanwhile()
    return Frames(json.loads(json.dumps(page.evaluate(_RECORDED))))
