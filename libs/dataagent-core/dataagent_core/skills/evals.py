"""Tests of skills: prompts that should fire a skill and prompts that should not (`evals/`).

    report = await run_evals(skill_set.skills, embedder)    # reads evals/evals.json of each skill

A skill fires on a prompt when a match over all the skills together offers it. Recall is the share
of `should` prompts that fire their skill. Wrong are fires of any other skill on a `should` prompt,
and of the skill itself on a `should_not` prompt, which may well be one for another skill; precision
is the share of fires that are not wrong. The matrix says which skill fired on whose prompts.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from dataagent_core.config.limits.match import (
    EVALS_FILE_BYTES_MAX,
    EVALS_PROMPTS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.language.unicode_text import storable
from dataagent_core.models.embeddings import Embedder
from dataagent_core.skills.match import SkillMatcher
from dataagent_core.skills.skill import Skill
from dataagent_core.skills.skill_folder import read_inside

EVALS_FILE: Final = "evals/evals.json"
# The name under which `evals` may hold prompts on which nothing should fire.
NO_SKILL: Final = "(no skill)"
# What the same two lists are called by others.
_SHOULD: Final = ("should", "should_trigger", "should_fire", "positive")
_SHOULD_NOT: Final = ("should_not", "should_not_trigger", "should_not_fire", "negative")
_PROMPT: Final = ("prompt", "query", "message", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillEvals:
    """The prompts of one skill."""

    should: tuple[str, ...] = ()
    should_not: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillEvalResult:
    """How one skill did."""

    name: str
    prompts: int
    hits: int
    # Times it fired where it should not.
    false_alarms: int
    # `None` without prompts, and without a fire.
    recall: float | None
    precision: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalMiss:
    """A prompt that did not fire its skill, or fired one that it should not."""

    prompt: str
    # The skill that should have fired; `None` where a skill fired that should not.
    missing: str | None
    # All that fired; where none is missing, only those that should not have.
    fired: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalReport:
    """The result for a set of skills; `to_dict` is its JSON."""

    recall: float | None
    precision: float | None
    prompts: int
    skills: tuple[SkillEvalResult, ...]
    misses: tuple[EvalMiss, ...]
    # By the skill a prompt belongs to, which skills fired how often; its own on the diagonal.
    confusion: Mapping[str, Mapping[str, int]]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


def load_evals(folder: Path) -> SkillEvals:
    """Read the prompts of a skill's folder; none when it has no evals."""
    path = folder / EVALS_FILE
    try:
        content = read_inside(folder, EVALS_FILE).data
    except FileNotFoundError:
        return SkillEvals()
    except OSError as error:
        raise ValidationError(f"{path} cannot be read: {error.strerror}.") from error
    return parse_evals(content, str(path))


def parse_evals(content: bytes, path: str = EVALS_FILE) -> SkillEvals:
    """Read `{"should": [...], "should_not": [...]}`, or a list of `{prompt, should_trigger}`."""
    if len(content) > EVALS_FILE_BYTES_MAX:
        raise ValidationError(f"{path} has more than {EVALS_FILE_BYTES_MAX} bytes: shorten it.")
    try:
        read = storable(json.loads(content))
    except (ValueError, RecursionError) as error:
        raise ValidationError(f"{path} is not JSON: {error}.") from error
    match read:
        case dict() if "evals" in read:
            evals = _from_list(read["evals"])
        case dict():
            evals = SkillEvals(
                should=_prompts(_first(read, _SHOULD)),
                should_not=_prompts(_first(read, _SHOULD_NOT)),
            )
        case list():
            evals = _from_list(read)
        case _:
            evals = SkillEvals()
    if not evals.should and not evals.should_not:
        raise ValidationError(
            f"{path} has no prompts: write two lists, "
            '{"should": ["a message that needs this skill"], "should_not": ["one that does not"]}.'
        )
    return evals


async def run_evals(
    skills: Sequence[Skill],
    embedder: Embedder | None,
    evals: Mapping[str, SkillEvals] | None = None,
    *,
    of: Iterable[str] | None = None,
) -> EvalReport:
    """Match every prompt against all the skills.

    `evals` are prompts by the name of the skill, read from the folders when left out; `of` names
    the skills whose prompts are tried, by default all.
    """
    wanted = None if of is None else set(of)
    if evals is None:
        # Only of those that are tried: the broken file of another one is not in their way.
        tried = [one for one in skills if wanted is None or one.name in wanted]
        evals = await asyncio.to_thread(_load_all, tried)
    if wanted is not None:
        evals = {name: evals.get(name, SkillEvals()) for name in wanted}
    matcher = SkillMatcher(skills, embedder)
    prompts = list(
        dict.fromkeys(text for each in evals.values() for text in (*each.should, *each.should_not))
    )
    fired: dict[str, tuple[str, ...]] = {}
    for prompt in prompts:
        fitting = await matcher.find_fitting(prompt)
        # Others of the process go on between two prompts.
        await asyncio.sleep(0)
        fired[prompt] = tuple(match.skill.name for match in fitting)
    return make_report(evals, fired)


def _load_all(skills: Sequence[Skill]) -> dict[str, SkillEvals]:
    return {each.name: load_evals(each.folder) for each in skills if each.folder is not None}


def make_report(
    evals: Mapping[str, SkillEvals], fired: Mapping[str, tuple[str, ...]]
) -> EvalReport:
    """Judge what fired on each prompt."""
    judged = [_judge_prompt(prompt, names, evals) for prompt, names in fired.items()]
    names = list(dict.fromkeys([*evals, *(name for each in judged for name in each.wrong)]))
    results = [_judge_skill(name, evals.get(name, SkillEvals()), judged) for name in names]
    hits = sum(each.hits for each in results)
    return EvalReport(
        recall=_share(hits, sum(each.prompts for each in results)),
        precision=_share(hits, hits + sum(each.false_alarms for each in results)),
        prompts=len(fired),
        skills=tuple(results),
        misses=tuple(
            EvalMiss(prompt=each.prompt, missing=name, fired=each.fired if name else each.wrong)
            for each in judged
            for name in each.missing or ((None,) if each.wrong else ())
        ),
        confusion={
            name: dict(Counter(other for prompt in each.should for other in fired[prompt]))
            for name, each in evals.items()
        },
    )


@dataclass(frozen=True, slots=True)
class _JudgedPrompt:
    prompt: str
    fired: tuple[str, ...]
    hits: tuple[str, ...]
    missing: tuple[str, ...]
    wrong: tuple[str, ...]


def _judge_prompt(
    prompt: str, fired: tuple[str, ...], evals: Mapping[str, SkillEvals]
) -> _JudgedPrompt:
    wanted = [name for name, each in evals.items() if prompt in each.should]
    unwanted = {name for name, each in evals.items() if prompt in each.should_not}
    others_are_wrong = bool(wanted) or NO_SKILL in unwanted
    return _JudgedPrompt(
        prompt=prompt,
        fired=fired,
        hits=tuple(name for name in wanted if name in fired),
        missing=tuple(name for name in wanted if name not in fired),
        wrong=tuple(
            name for name in fired if name not in wanted and (others_are_wrong or name in unwanted)
        ),
    )


def _judge_skill(name: str, evals: SkillEvals, judged: Sequence[_JudgedPrompt]) -> SkillEvalResult:
    hits = sum(name in each.hits for each in judged)
    false_alarms = sum(name in each.wrong for each in judged)
    return SkillEvalResult(
        name=name,
        prompts=len(evals.should),
        hits=hits,
        false_alarms=false_alarms,
        recall=_share(hits, len(evals.should)),
        precision=_share(hits, hits + false_alarms),
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _first(read: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((read[name] for name in names if name in read), ())


def _prompts(values: Any) -> tuple[str, ...]:
    """Take the texts of a list; an entry may be a text or an object with one."""
    if not isinstance(values, list | tuple):
        return ()
    texts = [_first(each, _PROMPT) if isinstance(each, dict) else each for each in values]
    kept = [each for each in texts if isinstance(each, str) and each.strip()]
    return tuple(dict.fromkeys(kept))[:EVALS_PROMPTS_MAX]


def _from_list(values: Any) -> SkillEvals:
    rows = [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []
    return SkillEvals(
        should=_prompts([row for row in rows if _first(row, _SHOULD) is not False]),
        should_not=_prompts([row for row in rows if _first(row, _SHOULD) is False]),
    )
