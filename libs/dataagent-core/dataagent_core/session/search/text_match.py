"""What a search looks for, and whether a text has it. Pure; every store uses this.

Words are whatever stands between spaces; a session is found when each of them is somewhere in it,
in its title or in a message. Case does not count, and wide letters equal narrow ones. Chinese has
no spaces, so a word is found anywhere inside a text.
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

# How much of a snippet stands before what was found.
_BEFORE_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class SearchWords:
    """What is looked for, in the spelling in which texts are compared."""

    folded: tuple[str, ...]

    @classmethod
    def of(cls, query: str) -> "SearchWords":
        """Read what a person typed; nothing but spaces is refused."""
        words = dict.fromkeys(fold_case(query[:SEARCH_CHARS_MAX]).split())
        if not words:
            raise ValidationError("say what to look for: one word or several.")
        return cls(tuple(islice(words, SEARCH_WORDS_MAX)))

    def within(self, text: str) -> frozenset[str]:
        """Name the words a text holds."""
        looked_at = fold_case(text)
        return frozenset(word for word in self.folded if word in looked_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Where something was found: the message and the words around it."""

    message_id: str
    role: Role
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """What of a search a session's messages hold."""

    words: frozenset[str] = frozenset()
    passage: Passage | None = None


@dataclass(slots=True)
class GroupedHits:
    """The hits of sessions, gathered while their messages go by, oldest first."""

    words: SearchWords
    hits: dict[str, SearchHit] = field(default_factory=dict[str, SearchHit])
    _best: dict[str, int] = field(default_factory=dict[str, int])

    def see(self, session_id: str, message_id: str, role: Role, content: str) -> None:
        """Look at one message; of those that hold as much, the newest is shown."""
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
    """Look through messages, each session's in their order."""
    looking = GroupedHits(words)
    for message in messages:
        looking.see(message.session_id, message.message_id, message.role, message.content)
    return looking.hits


def fold_case(text: str) -> str:
    """Bring a text into the spelling in which it is compared."""
    return unicodedata.normalize("NFKC", text).casefold()


def snippet(text: str, words: SearchWords) -> str:
    """Show a line around the first of the words that stand in a text."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    at = _place(line, words.folded)
    start = max(at - int(SNIPPET_CHARS_MAX * _BEFORE_SHARE), 0)
    end = start + SNIPPET_CHARS_MAX
    return f"{'…' if start else ''}{line[start:end].strip()}{'…' if end < len(line) else ''}"


def _place(line: str, words: Sequence[str]) -> int:
    """Find about where the first word stands: folding may change how long a text is."""
    looked_at = fold_case(line)
    places = [at for word in words if (at := looked_at.find(word)) >= 0]
    return min(min(places, default=0), len(line))
