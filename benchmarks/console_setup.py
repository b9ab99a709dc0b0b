"""The setup of the console's benchmarks: the real server, a streaming model, Chromium."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright

# The server and its visitors come from the tests.
sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.console.console_server import OWNER, ConsoleServer, open_console_server
from tests.console.visitor import WIDE, sign_in
from tests.services.chromium import chromium

STREAM_RATE = 200
STREAM_S = 10
STREAM_CHUNKS = STREAM_RATE * STREAM_S
PARAGRAPH_WORDS = 40
_CHUNK_CHARS = 12


@dataclass(frozen=True)
class ConsoleSetup:
    """A server and a browser."""

    console_server: ConsoleServer
    browser: Browser

    @contextmanager
    def visitor(self) -> Generator[BrowserContext]:
        """Open a context with an empty cache, signed in."""
        context = self.browser.new_context(viewport=WIDE)
        try:
            sign_in(context, self.console_server, OWNER)
            yield context
        finally:
            context.close()


def script() -> dict[str, object]:
    """Paragraphs as models write them: each chunk is a word with its own number."""
    words = [f"{number:_>{_CHUNK_CHARS - 2}}" for number in range(STREAM_CHUNKS)]
    text = "".join(
        word + ("\n\n" if number % PARAGRAPH_WORDS == 0 else ", ")
        for number, word in enumerate(words, 1)
    )
    step = {"text": text, "chunk_chars": _CHUNK_CHARS, "chunk_delay_s": 1 / STREAM_RATE}
    return {"steps": [step]}


@contextmanager
def open_console_setup(folder: Path) -> Generator[ConsoleSetup]:
    settings = {"rate_limit_per_minute": "0"}
    with (
        open_console_server(folder, script(), **settings) as console_server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=chromium(),
            args=["--no-sandbox", "--enable-precise-memory-info"],
        )
        try:
            yield ConsoleSetup(console_server, browser)
        finally:
            browser.close()
