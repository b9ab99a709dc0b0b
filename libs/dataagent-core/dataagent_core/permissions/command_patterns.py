r"""Patterns for commands, word by word: `git push *`, `npm run build`, `rm **`.

    *       at the end: any number of words, none included; elsewhere one word
    **      any number of words
    <args>  any number of words that are surely no options: what "always" saves (`always_rules.py`)
    within a word, `*` and `?` stand for characters; `\` takes the next one as it is

A word that is not known fits only what fits every word. A wildcard of an allowing rule never
covers an option that runs or writes something (`shell/risks.py`): the rule must name it.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from dataagent_core.config.limits import PERMISSION_PATTERNS_CACHED_MAX
from dataagent_core.permissions.patterns import EVERYTHING, PatternMatch, fits_text
from dataagent_core.permissions.shell.line import UNKNOWN, Word, bare_name

_SPLIT = re.compile(r"(?:\\.|\S)+", re.DOTALL)
_WILD = re.compile(r"[*?\\]")

ARGS = "<args>"
# Options, settings (`a=b`), and what git takes for a force, a deletion or a program.
_OPTION_LIKE = re.compile(r"[-+:]|.*=|.*::", re.DOTALL)

# Which positions in the pattern a word leads to from one of them.
Step = Callable[[int, int], set[int]]


@lru_cache(maxsize=PERMISSION_PATTERNS_CACHED_MAX)
def _split_pattern(pattern: str) -> tuple[str, ...]:
    """Split a pattern into words; `**` stands for any number of them."""
    words = _SPLIT.findall(pattern)
    return (*words[:-1], "**") if words and words[-1] == "*" else tuple(words)


def is_argument(word: Word) -> bool:
    """Say whether a word is surely no option, nor a setting, nor a transport."""
    return word.known and not _OPTION_LIKE.match(word.text)


def find_literal_program(pattern: str) -> str | None:
    """Give the program a pattern names without a wildcard, if it does."""
    parts = _split_pattern(pattern)
    return parts[0] if parts and not _WILD.search(parts[0]) else None


def has_wildcard(pattern: str) -> bool:
    """Say whether a pattern stands for more than one command."""
    return any(part == ARGS or _WILD.search(part) for part in _split_pattern(pattern))


def fits_for_allowing(pattern: str, words: tuple[Word, ...], risky: frozenset[int]) -> bool:
    """Say whether a pattern fits whatever the unknown words turn out to be."""
    return pattern in EVERYTHING or _surely_fits(_split_pattern(pattern), words, risky)


def fits_for_forbidding(pattern: str, words: tuple[Word, ...]) -> PatternMatch:
    """Say whether a pattern fits, or may fit once the unknown words are known."""
    parts = _split_pattern(pattern)
    if pattern in EVERYTHING:
        return PatternMatch.YES
    if "/" in words[0].text:
        # `./rm` is what it says, and may be a `rm` as well.
        if _surely_fits(parts, words, frozenset()):
            return PatternMatch.YES
        words = (Word(bare_name(words[0].text), words[0].splits), *words[1:])
    # What surely fits also may, so that most patterns need one look only.
    if not _may_fit(parts, words):
        return PatternMatch.NO
    return PatternMatch.YES if _surely_fits(parts, words, frozenset()) else PatternMatch.MAYBE


def _surely_fits(parts: tuple[str, ...], words: tuple[Word, ...], risky: frozenset[int]) -> bool:
    def step(part: int, index: int) -> set[int]:
        pattern, word = parts[part], words[index]
        if pattern == "**":
            return set() if index in risky else {part}
        if pattern == ARGS:
            return {part} if index not in risky and is_argument(word) else set()
        if word.splits or (pattern == "*" and index in risky):
            return set()
        fits = pattern == "*" or (UNKNOWN not in word.text and fits_text(pattern, word.text))
        return {part + 1} if fits else set()

    return _walk(parts, len(words), step)


def _may_fit(parts: tuple[str, ...], words: tuple[Word, ...]) -> bool:
    """Say whether some reading of the unknown words, options skipped, fits the pattern."""

    def step(part: int, index: int) -> set[int]:
        pattern, word = parts[part], words[index]
        if word.splits:
            return set(range(part, len(parts) + 1))
        # `git -C dir push` is a `git push`: options, and the word after one, may stand between.
        before = words[index - 1].text if index else ""
        skipped = index > 0 and (word.text.startswith("-") or before.startswith("-"))
        found = {part} if skipped or pattern in {"**", ARGS} else set[int]()
        if UNKNOWN in word.text or fits_text(pattern, word.text):
            found.add(part + 1)
        return found

    return _walk(parts, len(words), step)


def _walk(parts: tuple[str, ...], words: int, step: Step) -> bool:
    """Follow every position the words may have reached in the pattern, all at once."""
    reached = _spread({0}, parts)
    for index in range(words):
        reached = _spread(
            {end for part in reached if part < len(parts) for end in step(part, index)}, parts
        )
        if not reached:
            return False
    return len(parts) in reached


def _spread(reached: set[int], parts: tuple[str, ...]) -> set[int]:
    """Add the positions behind every `**` and `<args>`, which may stand for nothing."""
    for part in range(min(reached, default=len(parts)), len(parts)):
        if part in reached and parts[part] in {"**", ARGS}:
            reached.add(part + 1)
    return reached
