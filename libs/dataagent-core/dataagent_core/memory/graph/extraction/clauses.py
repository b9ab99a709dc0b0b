"""Splits a text into clauses, each with who says it. Pure.

A question says nothing, and neither do code, quotes of mail and tables: their clauses are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dataagent_core.memory.search.speaker_prefix import split_speaker

# A longer one is no sentence, but a table or a log.
_CLAUSE_CHARS_MAX: Final = 400
_FENCE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# A period ends a sentence before a blank; not in "3.5" and not after "Dr".
_END: Final = re.compile(
    r"(?<=[!?;。\uff01\uff1f\uff1b])\s*|(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)(?<=\.)\s+"
)
# They stand before a colon and speak for nobody.
_NO_SPEAKERS_TEXT: Final = """
remember|please remember|note|please note|ps|btw|fyi|todo|example|hint|warning|info|请记住|记住|
记一下|请记得|记得|注意|例如|比如|备注|提示
"""
_NO_SPEAKERS: Final = frozenset(_NO_SPEAKERS_TEXT.replace("\n", "").split("|"))
_LEFT_OUT: Final = ("|", ">", "$ ", "    ", "\t", "{", "}", "<")


@dataclass(frozen=True, slots=True)
class SpokenClause:
    """A sentence, without the name of who says it."""

    text: str
    # Who says it, where the line names them; empty: the person of the episode.
    speaker: str


def split_clauses(text: str) -> Iterator[SpokenClause]:
    """Give the sentences of a text that may say something."""
    for line in _FENCE.sub("\n", text).split("\n"):
        if not line.strip() or line.startswith(_LEFT_OUT):
            continue
        speaker, rest = split_speaker(line)
        if speaker.casefold() in _NO_SPEAKERS:
            speaker, rest = "", line
        for part in _END.split(rest):
            clause = (
                part.strip().lstrip("-*•#0123456789.) ") if part[:1] in "-*•#" else part.strip()
            )
            if len(clause) > 1 and len(clause) <= _CLAUSE_CHARS_MAX:
                yield SpokenClause(clause, speaker)


def is_question(clause: str) -> bool:
    """Say whether a sentence asks."""
    return clause.rstrip(" \"'\u201d」)\uff09").endswith(
        ("?", "\uff1f", "吗", "呢", "吗。", "呢。")
    )
