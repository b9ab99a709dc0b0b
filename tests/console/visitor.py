"""A user's browser: its own context, signed in, its page errors collected."""

import json
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Literal, TypedDict, Unpack

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.console.console_server import OWNER, ConsoleServer
from tests.console.page_errors import PageErrors

# Generous, because a server, a browser and other tests share two cores.
PATIENCE_MS = 60_000
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}

expect.set_options(timeout=PATIENCE_MS)


class VisitorOptions(TypedDict, total=False):
    """How a user views the console."""

    user_id: str
    language: Literal["en", "zh"]
    theme: Literal["light", "dark"]
    viewport: ViewportSize


@dataclass(frozen=True)
class Visitor:
    """The browser of one user."""

    console_server: ConsoleServer
    context: BrowserContext
    page_errors: PageErrors

    def open(self, path: str = "/") -> Page:
        """Open a tab."""
        page = self.context.new_page()
        page.goto(self.console_server.url + path)
        return page


@contextmanager
def open_visitor(
    browser: Browser, console_server: ConsoleServer, **options: Unpack[VisitorOptions]
) -> Generator[Visitor]:
    """Sign a user in; at the end their pages must have no unexpected errors."""
    language, theme = options.get("language", "en"), options.get("theme", "light")
    context = browser.new_context(
        viewport=options.get("viewport", WIDE),
        locale="zh-CN" if language == "zh" else "en-GB",
        timezone_id="UTC",
        color_scheme=theme,
        reduced_motion="reduce",
        accept_downloads=True,
    )
    page_errors = PageErrors()
    with ExitStack() as stack:
        stack.callback(context.close)
        context.set_default_timeout(PATIENCE_MS)
        page_errors.observe(context)
        # The initial preferences; the page may change them later.
        chosen = json.dumps({"state": {"theme": theme, "language": language}, "version": 0})
        context.add_init_script(
            f"if (origin !== 'null') localStorage['dataagent.preferences'] ??= {json.dumps(chosen)}"
        )
        if user_id := options.get("user_id", OWNER):
            sign_in(context, console_server, user_id)
        yield Visitor(console_server, context, page_errors)
        assert not page_errors.unexpected, "\n".join(page_errors.unexpected)


def sign_in(context: BrowserContext, console_server: ConsoleServer, user_id: str) -> None:
    """Use a sign-in URL; its cookie belongs to the context from then on."""
    answer = context.request.get(console_server.sign_in_url(user_id), max_redirects=0)
    assert answer.status == 303, answer.text()
