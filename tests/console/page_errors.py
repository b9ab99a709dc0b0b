"""Errors that no page may have: exceptions, rejections, console errors, CSP violations."""

import re
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, WebError

# Before a file is written the page asks whether it exists; the browser logs a 404 as an error.
_HARMLESS = r"status of 404 .*/files/content\?"
# The browser reports a violation to the page, which logs it as an error.
_REPORT_CSP = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP ${event.violatedDirective} refused ${event.blockedURI} ${event.sample}`));
"""


@dataclass
class PageErrors:
    """All errors of the pages of one browser context."""

    complaints: list[str] = field(default_factory=list[str])
    _expected: list[str] = field(default_factory=lambda: [_HARMLESS])

    def observe(self, context: BrowserContext) -> None:
        context.add_init_script(_REPORT_CSP)
        context.on("console", self._note_message)
        context.on("weberror", self._note_exception)

    def expect(self, pattern: str) -> None:
        """Allow an error, such as the browser's own when a test stops the server."""
        self._expected.append(pattern)

    @property
    def unexpected(self) -> list[str]:
        return [
            complaint
            for complaint in self.complaints
            if not any(re.search(pattern, complaint) for pattern in self._expected)
        ]

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            place = message.location.get("url", "")
            self.complaints.append(f"console: {message.text} ({place})")

    def _note_exception(self, error: WebError) -> None:
        self.complaints.append(f"thrown: {error.error.stack or error.error.message}")
