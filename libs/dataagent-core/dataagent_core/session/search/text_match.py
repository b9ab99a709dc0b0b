"""Matches the words of a search against texts. Pure; every store uses this.

Words are separated by spaces; a session matches when each of them is in its title or in a message.
Case does not count, and wide letters equal narrow ones. Chinese has no spaces, so a word is found
anywhere inside a text.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from dataagent_core.config.limits.sessions import (
    SEARCH_CHARS_MAX,
    SEARCH_WORDS_MAX,
    SNIPPET_CHARS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.session.state import Message, Role

# The share of a snippet before the match.
_BEFORE_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class SearchWords:
    """The words of a search, normalized for comparison."""

    folded: tuple[str, ...]

    @classmethod
    def of(cls, query: str) -> "SearchWords":
        """Split a query into words; raise if it has none."""
        words = dict.fromkeys(fold_case(query[:SEARCH_CHARS_MAX]).split())
        if not words:
            raise ValidationError("say what to look for: one word or several.")
        return cls(tuple(islice(words, SEARCH_WORDS_MAX)))

    def within(self, text: str) -> frozenset[str]:
        """Return the words that a text holds."""
        folded_text = fold_case(text)
        return frozenset(word for word in self.folded if word in folded_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """The message of a match, and the words around it."""

    message_id: str
    role: Role
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """The words of a search that a session's messages hold."""

    words: frozenset[str] = frozenset()
    passage: Passage | None = None


@dataclass(slots=True)
class GroupedHits:
    """Collects the hits of sessions from their messages, oldest first."""

    words: SearchWords
    hits: dict[str, SearchHit] = field(default_factory=dict[str, SearchHit])
    _best: dict[str, int] = field(default_factory=dict[str, int])

    def see(self, session_id: str, message_id: str, role: Role, content: str) -> None:
        """Add one message; of those with equally many words, the newest is shown."""
        found = self.words.within(content)
        if not found:
            return
        before = self.hits.get(session_id, SearchHit())
        passage = before.passage
        if len(found) >= self._best.get(session_id, 0):
            self._best[session_id] = len(found)
            shown = snippet(content, self.words)
            passage = Passage(message_id=message_id, role=role, snippet=shown)
        self.hits[session_id] = SearchHit(words=before.words | found, passage=passage)


def group_hits(words: SearchWords, messages: Iterable[Message]) -> dict[str, SearchHit]:
    """Search messages; those of a session must be in order."""
    grouped = GroupedHits(words)
    for message in messages:
        grouped.see(message.session_id, message.message_id, message.role, message.content)
    return grouped.hits


def fold_case(text: str) -> str:
    """Normalize a text for comparison."""
    return unicodedata.normalize("NFKC", text).casefold()


def snippet(text: str, words: SearchWords) -> str:
    """Return a line around the first of the words in a text."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    at = _find_first(line, words.folded)
    start = max(at - int(SNIPPET_CHARS_MAX * _BEFORE_SHARE), 0)
    end = start + SNIPPET_CHARS_MAX
    return f"{'…' if start else ''}{line[start:end].strip()}{'…' if end < len(line) else ''}"


def _find_first(line: str, words: Sequence[str]) -> int:
    """Return the approximate position of the first word: folding may change the length."""
    folded_text = fold_case(line)
    positions = [at for word in words if (at := folded_text.find(word)) >= 0]
    return min(min(positions, default=0), len(line))
