"""The parts in which texts of several runs are alike, and those in which they differ. Pure."""

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

# Chinese has no blanks between words: each of its signs is a part.
_TOKEN: Final = re.compile(r"[A-Za-z0-9]+|\s+|[^\sA-Za-z0-9]")
_LETTER: Final = re.compile(r"[A-Za-z0-9]")

# A text that all have, or what each of them has in this place.
Part = str | tuple[str, ...]


def is_word_in(value: str, text: str) -> bool:
    """Say whether a value stands in a text by itself, and not as part of a word or a number."""
    return bool(value.strip()) and match_word(value).search(text) is not None


def find_shared_start(texts: Sequence[str]) -> str:
    """Return what all texts begin with."""
    shortest = min(texts, key=len)
    for at, sign in enumerate(shortest):
        if any(text[at] != sign for text in texts):
            return shortest[:at]
    return shortest


def match_word(value: str) -> re.Pattern[str]:
    """Return what finds a value by itself."""
    before = r"(?<![A-Za-z0-9])" if _LETTER.match(value[:1]) else ""
    after = r"(?![A-Za-z0-9])" if _LETTER.match(value[-1:]) else ""
    return re.compile(before + re.escape(value) + after)


def count_parts(text: str) -> int:
    """Count the words and signs of a text."""
    return len(_TOKEN.findall(text))


def find_parts(texts: Sequence[str]) -> list[Part] | None:
    """Split texts into what is alike and what differs; None where something is in some only."""
    split = [_TOKEN.findall(text) for text in texts]
    shared = split[0]
    for tokens in split[1:]:
        matcher = SequenceMatcher(None, shared, tokens, autojunk=False)
        shared = [
            token
            for block in matcher.get_matching_blocks()
            for token in shared[block.a : block.a + block.size]
        ]
    gaps = [_find_gaps(tokens, shared) for tokens in split]
    parts: list[Part] = []
    for position, token in enumerate([*shared, ""]):
        gap = tuple(one[position] for one in gaps)
        if any(gap):
            if not all(gap):
                return None
            parts.append(gap)
        if token:
            parts.append(token)
    return parts


def join_parts(parts: Sequence[Part], is_known: Callable[[Sequence[str]], bool]) -> list[Part]:
    """Make the parts that differ as long as they are known; blanks end them."""
    joined: list[Part] = list(parts)
    position = 0
    while position < len(joined):
        part = joined[position]
        if not isinstance(part, tuple):
            position += 1
            continue
        for other in (position + 1, position - 1):
            if not 0 <= other < len(joined):
                continue
            first, last = sorted((position, other))
            both = _join(joined[first], joined[last], len(part))
            if not any(re.search(r"\s", one) for one in both) and is_known(both):
                joined[first : last + 1] = [both]
                position = max(0, first - 1)
                break
        else:
            position += 1
    return _join_literals(joined)


def _join(first: Part, last: Part, count: int) -> tuple[str, ...]:
    heads = (first,) * count if isinstance(first, str) else first
    tails = (last,) * count if isinstance(last, str) else last
    return tuple(head + tail for head, tail in zip(heads, tails, strict=True))


def _join_literals(parts: Sequence[Part]) -> list[Part]:
    joined: list[Part] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def _find_gaps(tokens: Sequence[str], shared: Sequence[str]) -> list[str]:
    """Return what stands before each shared token, and behind the last one."""
    matcher = SequenceMatcher(None, shared, tokens, autojunk=False)
    places = {
        block.a + offset: block.b + offset
        for block in matcher.get_matching_blocks()
        for offset in range(block.size)
    }
    if len(places) < len(shared):
        places = _match_in_turn(tokens, shared)
    ends = [-1, *(places[position] for position in range(len(shared))), len(tokens)]
    return ["".join(tokens[before + 1 : after]) for before, after in pairwise(ends)]


def _match_in_turn(tokens: Sequence[str], shared: Sequence[str]) -> dict[int, int]:
    places: dict[int, int] = {}
    at = 0
    for position, token in enumerate(shared):
        at = tokens.index(token, at)
        places[position] = at
        at += 1
    return places
