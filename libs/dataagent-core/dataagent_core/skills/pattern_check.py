r"""The rules for a trigger pattern: its size, its weight, and that it does not fire on anything.

A pattern without word boundaries fires inside longer words, numbers and ids: `/50\d/` on "1500".
It is tried on messages that say nothing, and on a text with every short run of letters and digits.
"""

from functools import cache
from typing import Final

from dataagent_core.config.limits.skills import SKILL_PATTERN_CHARS_MAX, SKILL_PATTERN_WEIGHT_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.language.linear_regex import compile_linear, find_linear
from dataagent_core.models.embeddings import WeightedPattern
from dataagent_core.models.embeddings.message_pattern import compile_pattern
from dataagent_core.skills.skill import TriggerPattern

_SAY_NOTHING: Final = (
    "hello", "hi there", "ok", "yes", "thanks a lot", "go on", "你好", "谢谢", "继续", "好的",
    "1500", "3.14", "2026-01-31 14:05", "2f1c9b7e-4d3a-4c55-9e10-7a6b0c2d8e4f",
    "IMG_20260131_140512.jpg",
)  # fmt: skip
_DIGITS: Final = "0123456789"
_LETTERS_AND_DIGITS: Final = "abcdefghijklmnopqrstuvwxyz" + _DIGITS
_NEIGHBOURS_SHOWN: Final = 2


def find_pattern_error(pattern: TriggerPattern) -> str | None:
    """Say why a pattern cannot be used."""
    text = pattern.pattern
    if len(text) > SKILL_PATTERN_CHARS_MAX:
        return (
            f"A trigger pattern has {len(text):,} characters, {SKILL_PATTERN_CHARS_MAX:,} are "
            "possible. Split it into several."
        )
    if not 0 < pattern.weight <= SKILL_PATTERN_WEIGHT_MAX:
        return (
            f"The weight {pattern.weight:g} of the trigger pattern {text!r:.80} must be above 0 "
            f"and at most {SKILL_PATTERN_WEIGHT_MAX:g}."
        )
    try:
        compile_pattern(WeightedPattern(pattern=text))
    except ValidationError as error:
        return str(error)
    return None


def count_pattern_steps(pattern: TriggerPattern) -> int:
    """Say what a search for a pattern that can be used costs."""
    return compile_pattern(WeightedPattern(pattern=pattern.pattern)).steps


def find_pattern_warning(pattern: TriggerPattern) -> str | None:
    """Say on which message without meaning a pattern fires, and how to prevent it."""
    sample = _find_sample(WeightedPattern(pattern=pattern.pattern))
    if sample is None:
        return None
    return (
        f"The trigger pattern {pattern.pattern!r:.80} fires on {sample!r}, which says nothing. "
        r"Write \b at both ends of a short part, as in /\bpr\b/, or add words that go with it."
    )


def _find_sample(pattern: WeightedPattern) -> str | None:
    occurs_in = compile_pattern(pattern)
    said = next(filter(occurs_in, _SAY_NOTHING), None)
    if said is not None or pattern.regex is None:
        return said
    found = find_linear(compile_linear(pattern.regex), _short_runs())
    if found is None:
        return None
    start, end = found
    return _short_runs()[max(0, start - _NEIGHBOURS_SHOWN) : end + _NEIGHBOURS_SHOWN]


@cache
def _short_runs() -> str:
    """Give one word that has every run of three letters or digits, and of four digits."""
    return _every_run(_LETTERS_AND_DIGITS, 3) + _every_run(_DIGITS, 4)


def _every_run(signs: str, length: int) -> str:
    """Make the shortest text with every run of signs: the Lyndon words in order (de Bruijn)."""
    word, text = [-1], list[int]()
    while word:
        word[-1] += 1
        period = len(word)
        if length % period == 0:
            text += word
        while len(word) < length:
            word.append(word[-period])
        while word and word[-1] == len(signs) - 1:
            word.pop()
    return "".join(signs[number] for number in text)
