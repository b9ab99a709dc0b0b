"""What the console's figures are measured in: the real server, a model that streams, Chromium."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright

# The house and its visitors are the tests' own.
sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.console.house import OWNER, House, open_house
from tests.console.visitor import WIDE, come_in
from tests.services.chromium import chromium

STREAM_RATE = 200
STREAM_S = 10
STREAM_CHUNKS = STREAM_RATE * STREAM_S
PARAGRAPH_WORDS = 40
_CHUNK_CHARS = 12


@dataclass(frozen=True)
class World:
    """A house and a browser."""

    house: House
    browser: Browser

    @contextmanager
    def visitor(self) -> Generator[BrowserContext]:
        """Let somebody in who was never here before: nothing is in their cache."""
        context = self.browser.new_context(viewport=WIDE)
        try:
            come_in(context, self.house, OWNER)
            yield context
        finally:
            context.close()


def script() -> dict[str, object]:
    """Paragraphs, as models write: each chunk is a word with a number of its own."""
    words = [f"{number:_>{_CHUNK_CHARS - 2}}" for number in range(STREAM_CHUNKS)]
    text = "".join(
        word + ("\n\n" if number % PARAGRAPH_WORDS == 0 else ", ")
        for number, word in enumerate(words, 1)
    )
    step = {"text": text, "chunk_chars": _CHUNK_CHARS, "chunk_delay_s": 1 / STREAM_RATE}
    return {"steps": [step]}


@contextmanager
def world(folder: Path) -> Generator[World]:
    settings = {"rate_limit_per_minute": "0"}
    with (
        open_house(folder, script(), **settings) as house,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=chromium(),
            args=["--no-sandbox", "--enable-precise-memory-info"],
        )
        try:
            yield World(house, browser)
        finally:
            browser.close()
