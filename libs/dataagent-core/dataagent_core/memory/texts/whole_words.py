"""Says whether a text holds another as whole words: "AI" is not in "MAIN". Pure."""

import json
import re
from collections.abc import Iterable
from typing import Final

from dataagent_core.memory.text_digest import fold_text

# Chinese, Japanese and Korean have no blanks: "AI" is a word of its own in "我用AI".
_UNSPACED: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"

# In JSON a word may follow the sign of a break of line.
_BREAK: Final = re.compile(r"\\[nrt]")


def hold_stored_words(stored: Iterable[str], wanted: str) -> bool:
    """Say whether any of some stored texts holds it, as it is or as it stands in JSON."""
    escaped = _BREAK.sub(" ", json.dumps(wanted, ensure_ascii=False)[1:-1])
    return any(
        holds_words(text, wanted) or holds_words(_BREAK.sub(" ", text), escaped) for text in stored
    )


def holds_words(text: str, wanted: str) -> bool:
    """Say whether a text holds what is wanted, without regard to case, width and breaks of line."""
    return is_within(fold_text(wanted), fold_text(text))


def is_within(wanted: str, folded: str) -> bool:
    """Say the same of folded texts."""
    if not wanted or wanted not in folded:
        return False
    begin = rf"(?<![^\W_{_UNSPACED}])" if wanted[0].isascii() and wanted[0].isalnum() else ""
    end = rf"(?![^\W_{_UNSPACED}])" if wanted[-1].isascii() and wanted[-1].isalnum() else ""
    return re.search(begin + re.escape(wanted) + end, folded) is not None
