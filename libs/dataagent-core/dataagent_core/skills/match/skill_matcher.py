"""Chooses the skills that fit a message, with scores and reasons (S2 §8.3, `trigger_type`).

    matcher = SkillMatchers(embedder).matcher_for(skill_set)
    for match in await matcher.match(message): match.skill, match.score, match.reason

A set is indexed once, at its first match. Sets whose skills are described alike share the index, of
one tenant or several (`models/embeddings/index_cache.py`): each is told its own skills. Scores are
made in `models/embeddings/hybrid_score.py`, which sub-agents share.
"""

from collections import OrderedDict
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

from dataagent_core.config.limits.match import (
    MATCH_INDEXES_MAX,
    MATCH_RESULTS_MAX,
)
from dataagent_core.models.embeddings import (
    Embedder,
    MatchDocument,
    WeightedPattern,
    find_index,
)
from dataagent_core.skills.skill import Skill
from dataagent_core.skills.source import SkillSet


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillMatch:
    """One skill that fits; every score is from 0 to 1."""

    skill: Skill
    score: float
    keyword_score: float
    # `None` where the meaning was not compared.
    semantic_score: float | None
    reason: str


class SkillMatcher:
    """Matches messages to the skills of one set."""

    def __init__(self, skills: Iterable[Skill], embedder: Embedder | None) -> None:
        self._skills = tuple(skills)
        self._by_name = {skill.name: skill for skill in self._skills}
        self._index = find_index(tuple(map(to_document, self._skills)), embedder)

    def with_skills(self, skills: tuple[Skill, ...]) -> "SkillMatcher":
        """Return a matcher of equal skills, which may have other ids, with the same index."""
        if skills is self._skills:
            return self
        other = copy(self)
        other._skills = skills  # noqa: SLF001 (of the same class)
        other._by_name = {skill.name: skill for skill in skills}  # noqa: SLF001
        return other

    async def find_fitting(
        self, message: str, limit: int = MATCH_RESULTS_MAX, *, wait_s: float | None = None
    ) -> list[SkillMatch]:
        """List the skills that fit, the best first."""
        ranked = await self.rank(message, wait_s)
        return [each for each, is_match in ranked if is_match][:limit]

    async def match(self, message: str, limit: int = MATCH_RESULTS_MAX) -> list[SkillMatch]:
        """List the skills that fit, the best first, then those that are always offered.

        `limit` holds for the skills that fit.
        """
        ranked = await self.rank(message)
        fitting = [each for each, is_match in ranked if is_match][:limit]
        names = {each.skill.name for each in fitting}
        by_name = {each.skill.name: each for each, _ in ranked}
        always = [
            _offer_always(skill, by_name.get(skill.name))
            for skill in self._skills
            if skill.always_offered and skill.name not in names
        ]
        return [*fitting, *always]

    async def rank(
        self, message: str, wait_s: float | None = None
    ) -> list[tuple[SkillMatch, bool]]:
        """Score the skills that most speaks for, the best first, and say which fit.

        Where comparing meanings takes longer than `wait_s`, words alone are compared.
        """
        return [
            (
                SkillMatch(
                    skill=self._by_name[score.document.key],
                    score=score.score,
                    keyword_score=score.keyword_score,
                    semantic_score=score.semantic_score,
                    reason=score.reason,
                ),
                score.is_match,
            )
            for score in await self._index.rank(message, wait_s=wait_s)
        ]


class SkillMatchers:
    """The matchers of the sets used last, one for each digest."""

    def __init__(self, embedder: Embedder | None, sets_max: int = MATCH_INDEXES_MAX) -> None:
        self.embedder = embedder
        self._sets_max = sets_max
        self._kept: OrderedDict[str, SkillMatcher] = OrderedDict()

    def matcher_for(self, skill_set: SkillSet) -> SkillMatcher:
        """Return the matcher of a set; one without a digest is not kept."""
        digest = skill_set.digest
        known = self._kept.get(digest)
        matcher = (
            SkillMatcher(skill_set.skills, self.embedder)
            if known is None
            else known.with_skills(skill_set.skills)
        )
        if digest:
            self._kept[digest] = matcher
            self._kept.move_to_end(digest)
        while len(self._kept) > self._sets_max:
            self._kept.popitem(last=False)
        return matcher


def to_document(skill: Skill) -> MatchDocument:
    """Say what of a skill is compared with messages; its body is not."""
    trigger = skill.trigger
    return MatchDocument(
        key=skill.name,
        name=skill.name,
        description=" ".join(filter(None, (skill.display_name, skill.summary, skill.description))),
        phrases=trigger.phrases,
        patterns=tuple(
            WeightedPattern(pattern=each.pattern, weight=each.weight) for each in trigger.patterns
        ),
        tags=skill.tags,
        type=trigger.type,
    )


def _offer_always(skill: Skill, scored: SkillMatch | None) -> SkillMatch:
    return SkillMatch(
        skill=skill,
        score=scored.score if scored else 0.0,
        keyword_score=scored.keyword_score if scored else 0.0,
        semantic_score=scored.semantic_score if scored else None,
        reason="Its owner wants it offered always.",
    )
