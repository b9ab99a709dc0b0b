"""The chat page as a person reads it, in English."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.server_kill.story import shown_text


class Chat:
    """One tab with the chat."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.composer = page.get_by_label("Your message")
        self.log = page.get_by_role("log", name="Conversation")
        self.request = page.get_by_role("region", name="The agent asks")
        self.stop = page.get_by_role("button", name="Stop (Esc)")
        self.ends = self.log.get_by_role("button", name=re.compile(r"^(redo )?Ask again$"))

    @property
    def session_id(self) -> str:
        expect(self.page).to_have_url(re.compile(r"/chat/[^/?#]+"))
        return self.page.url.rpartition("/chat/")[2]

    def ask(self, text: str) -> None:
        self.composer.fill(text)
        self.composer.press("Enter")

    def ended(self, runs: int = 1) -> None:
        """Wait until a number of runs have ended."""
        expect(self.ends).to_have_count(runs)
        expect(self.stop).to_have_count(0)

    def says(self, text: str | re.Pattern[str]) -> None:
        expect(self.log).to_contain_text(text)

    def told(self, words: int) -> None:
        """Wait until a number of the story's numbered words are on the page."""
        expect(self.log).to_contain_text(re.compile(rf"\bw{words}\b"))

    @property
    def words(self) -> list[str]:
        """Every numbered word on the page, in order."""
        return words_in(self.log.inner_text())

    def answer(self, button: str) -> None:
        self.request.get_by_role("button", name=button, exact=True).click()

    def unfold_groups(self) -> None:
        """Unfold grouped calls; the grouping depends on which call started first."""
        for group in self.log.get_by_role("button", name=re.compile(r"^(right )?\d+ calls")).all():
            if group.get_attribute("aria-expanded") == "false":
                group.click()

    def message(self, text: str) -> Locator:
        return self.log.get_by_role("group", name="You").filter(has_text=text)


def words_in(text: str) -> list[str]:
    return re.findall(r"\bw\d+\b", text)


def words_of(log: list[dict[str, Any]]) -> list[str]:
    """Return the numbered words in a session's log, without void text."""
    return words_in(shown_text(log))
