"""The mark of recalled text, by which it is known wherever it comes up again.

What a model is told of memories stands between two lines that no memory can write itself. Text
between them, and the results of the tools that read memory, is never a source of a memory.
"""

import re
from typing import Final

from dataagent_core.language.prompt_line import make_prompt_line

RECALL_BEGIN: Final = "<recalled_memories>"
RECALL_END: Final = "</recalled_memories>"
# Their results are what is remembered already.
RECALL_TOOLS: Final = frozenset(
    {
        "memory_search",
        "memory_create",
        "graph_query",
        "entity_lookup",
        "episode_retrieval",
        "recall",
    }
)
# To the end of a text in which it was cut off.
_MARKED: Final = re.compile(
    rf"{re.escape(RECALL_BEGIN)}.*?(?:{re.escape(RECALL_END)}|\Z)", re.DOTALL | re.IGNORECASE
)
_MARK: Final = re.compile(f"{re.escape(RECALL_BEGIN)}|{re.escape(RECALL_END)}", re.IGNORECASE)
_LINE_CHARS_MAX: Final = 300


def mark_recalled(text: str) -> str:
    """Put recalled text between the marks; what looks like a mark in it is taken out."""
    return f"{RECALL_BEGIN}\n{_remove_marks(text)}\n{RECALL_END}"


def _remove_marks(text: str) -> str:
    """Take marks out of a text, also those that others leave when they are gone."""
    while (plain := _MARK.sub("", text)) != text:
        text = plain
    return text


def remove_recalled(text: str) -> str:
    """Return a text without what was recalled."""
    return _MARKED.sub(" ", text)


def holds_recalled(text: str) -> bool:
    """Say whether a text holds a mark of recalled text."""
    lower = text.lower()
    return RECALL_BEGIN in lower or RECALL_END in lower


def quote_for_model(text: str, chars_max: int = _LINE_CHARS_MAX) -> str:
    """Write a memory or a name as a model is shown it: data on one line, in quotes, and bounded.

    "Ignore previous instructions" is then what somebody is called, and no line of the prompt.
    """
    line = make_prompt_line(text[: 4 * chars_max]).replace('"', "'")
    shown = line if len(line) <= chars_max else f"{line[: chars_max - 1]}…"
    return f'"{shown}"'
