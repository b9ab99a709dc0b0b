"""What no page may do: throw, leave a rejection unhandled, complain in the console, break its CSP."""

import re
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, WebError

# The browser reports a violation to the page; as a complaint it is seen like every other.
# Before a file is written the page asks what is there now; the browser calls a no an error.
_HARMLESS = r"status of 404 .*/files/content\?"
_REPORT_CSP = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP ${event.violatedDirective} refused ${event.blockedURI} ${event.sample}`));
"""


@dataclass
class Watch:
    """Everything the pages of one browser context complained about."""

    complaints: list[str] = field(default_factory=list[str])
    _expected: list[str] = field(default_factory=lambda: [_HARMLESS])

    def over(self, context: BrowserContext) -> None:
        context.add_init_script(_REPORT_CSP)
        context.on("console", self._said)
        context.on("weberror", self._threw)

    def expect(self, pattern: str) -> None:
        """Let this pass: what the browser itself says when a walk takes the server away."""
        self._expected.append(pattern)

    @property
    def unexpected(self) -> list[str]:
        return [
            complaint
            for complaint in self.complaints
            if not any(re.search(pattern, complaint) for pattern in self._expected)
        ]

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            place = message.location.get("url", "")
            self.complaints.append(f"console: {message.text} ({place})")

    def _threw(self, error: WebError) -> None:
        self.complaints.append(f"thrown: {error.error.stack or error.error.message}")
