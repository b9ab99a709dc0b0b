"""Somebody in front of a browser: a context of their own, signed in, watched."""

import json
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Literal, TypedDict, Unpack

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.console.installation import OWNER, Installation
from tests.console.watching import Watch

# Two cores, a server, a browser and other tests: patience costs nothing where all goes well.
PATIENCE_MS = 60_000
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}

expect.set_options(timeout=PATIENCE_MS)


class Manner(TypedDict, total=False):
    """How somebody looks at the console."""

    user_id: str
    language: Literal["en", "zh"]
    theme: Literal["light", "dark"]
    viewport: ViewportSize


@dataclass(frozen=True)
class Visitor:
    """A browser of one person."""

    installation: Installation
    context: BrowserContext
    watch: Watch

    def open(self, path: str = "/") -> Page:
        """Open a tab."""
        page = self.context.new_page()
        page.goto(self.installation.url + path)
        return page


@contextmanager
def visiting(
    browser: Browser, installation: Installation, **manner: Unpack[Manner]
) -> Generator[Visitor]:
    """Sign somebody in; at the end their pages must not have complained."""
    language, theme = manner.get("language", "en"), manner.get("theme", "light")
    context = browser.new_context(
        viewport=manner.get("viewport", WIDE),
        locale="zh-CN" if language == "zh" else "en-GB",
        timezone_id="UTC",
        color_scheme=theme,
        reduced_motion="reduce",
        accept_downloads=True,
    )
    watch = Watch()
    with ExitStack() as stack:
        stack.callback(context.close)
        context.set_default_timeout(PATIENCE_MS)
        watch.over(context)
        # The page decides for itself later; this is where somebody starts.
        chosen = json.dumps({"state": {"theme": theme, "language": language}, "version": 0})
        context.add_init_script(
            f"if (origin !== 'null') localStorage['dataagent.preferences'] ??= {json.dumps(chosen)}"
        )
        if user_id := manner.get("user_id", OWNER):
            come_in(context, installation, user_id)
        yield Visitor(installation, context, watch)
        assert not watch.unexpected, "\n".join(watch.unexpected)


def come_in(context: BrowserContext, installation: Installation, user_id: str) -> None:
    """Use a sign-in URL up; its cookie is the context's from then on."""
    answer = context.request.get(installation.sign_in_url(user_id), max_redirects=0)
    assert answer.status == 303, answer.text()
