"""Finds texts of people that quote what a tool returned: such words are not their own. Pure."""

import re
from collections.abc import Collection, Iterable
from typing import Final

# Parts of this length are no accident; a Chinese sign says more than a letter.
_PART_CHARS: Final = 28
_HAN_PART_CHARS: Final = 16
_STEP_CHARS: Final = 4
# So many parts are searched for one by one, which is faster.
_SEARCHED_MAX: Final = 60
_HAN: Final = re.compile("[\u3400-\u9fff]")


def find_quotes(
    texts: Collection[str], results: Iterable[str], *, step_chars: int = _STEP_CHARS
) -> frozenset[str]:
    """Return the texts of which a part stands in a result, whatever the blanks and the case.

    A part begins every `step_chars`: by 1 none is missed, which costs more.
    """
    parts = {text: found for text in texts if (found := _list_parts(_flatten(text), step_chars))}
    # Short texts, which are most of them, cost no look at the results.
    wanted = {part for found in parts.values() for part in found}
    said = {part for one in results if wanted for part in _find_parts(wanted, _flatten(one))}
    return frozenset(text for text, found in parts.items() if not said.isdisjoint(found))


def _list_parts(text: str, step_chars: int) -> list[str]:
    size = _HAN_PART_CHARS if _HAN.search(text) else _PART_CHARS
    return [text[at : at + size] for at in range(0, len(text) - size + 1, step_chars)]


def _find_parts(wanted: Collection[str], text: str) -> set[str]:
    """Find parts in one pass for each of their two lengths: a run may have very many of both."""
    if len(wanted) <= _SEARCHED_MAX:
        return {part for part in wanted if part in text}
    sizes = {len(part) for part in wanted}
    return {
        part
        for size in sizes
        for at in range(len(text))
        if (part := text[at : at + size]) in wanted
    }


def _flatten(text: str) -> str:
    return "".join(text.split()).casefold()
