"""Says whether a text holds another as whole words: "AI" is not in "MAIN". Pure."""

import re
from typing import Final

from dataagent_core.memory.text_digest import fold_text

# Chinese, Japanese and Korean have no blanks: "AI" is a word of its own in "我用AI".
_UNSPACED: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"


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
