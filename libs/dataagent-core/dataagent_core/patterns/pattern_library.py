"""`PatternLibrary`: what an engine and its routes need of a tenant's patterns.

It finds what may be offered or hinted at for a message, learns from a finished run, and forgets.
Asking the person, telling the model and writing `pattern_match` events is the engine's; who may
forget or edit which pattern is decided by the caller.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from dataagent_core.config.limits.patterns import (
    PATTERN_LEARN_TRIES_MAX,
    PATTERN_NAME_CHARS_MAX,
    PATTERN_STEP_TOOLS_MAX,
    PATTERN_STEPS_MAX,
    PATTERNS_PAGE_DEFAULT,
)
from dataagent_core.errors import (
    ConflictError,
    LimitReachedError,
    NotFoundError,
    StorageError,
    ValidationError,
)
from dataagent_core.patterns.evolution import find_learned_run, learn
from dataagent_core.patterns.extract import extract_pattern, make_pattern_id
from dataagent_core.patterns.interaction_pattern import InteractionPattern, PatternStep
from dataagent_core.patterns.lifecycle import DEFAULT_TERMS, find_state, with_query, with_state
from dataagent_core.patterns.pattern_store import PatternStore
from dataagent_core.patterns.pattern_terms import PatternTerms
from dataagent_core.patterns.pattern_text import add_texts, is_tool_name, with_author
from dataagent_core.patterns.scrub import scrub
from dataagent_core.patterns.signature import sign_goal
from dataagent_core.patterns.similarity import calculate_similarity, read_query
from dataagent_core.patterns.trace import InteractionTrace

logger = logging.getLogger(__name__)

# A query is noted once in this time: what counts is whether there was one within days.
_NOTED_EVERY: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSwitches:
    """Where patterns are wanted; each of the three can switch them off (S2 §6.5.8)."""

    tenant: bool = True
    user: bool = True
    session: bool = True

    @property
    def are_on(self) -> bool:
        """Whether all agree."""
        return self.tenant and self.user and self.session


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPattern:
    """A trusted pattern that is like what the person wants."""

    pattern: InteractionPattern
    similarity: float
    # Tools it needs that the agent does not have, or may not use.
    missing_tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternFinding:
    """What was found for a message, the most similar first."""

    # To be used if the person says yes.
    offer: FoundPattern | None = None
    # To be told to the model as earlier ways of working.
    hints: tuple[FoundPattern, ...] = ()
    # Similar enough, but tools of them are missing: not to be used.
    unusable: tuple[FoundPattern, ...] = ()


def _read_clock() -> datetime:
    return datetime.now(UTC)


class PatternLibrary:
    """The patterns of one tenant."""

    def __init__(
        self,
        store: PatternStore,
        tenant_id: str,
        *,
        terms: PatternTerms = DEFAULT_TERMS,
        clock: Callable[[], datetime] = _read_clock,
    ) -> None:
        self._store = store
        self._tenant_id = tenant_id
        self._terms = terms
        self._clock = clock

    async def find(
        self, message: str, *, tools: Collection[str], switches: LearningSwitches
    ) -> PatternFinding:
        """Find patterns for a message; `tools` are those the agent has and may use."""
        query = read_query(message)
        if not switches.are_on or not query.signature:
            return PatternFinding()
        now = self._clock()
        try:
            candidates = await self._store.find_candidates(query.signature, query.entities)
            scored = [
                (calculate_similarity(query, one, now, self._terms), one) for one in candidates
            ]
            similar = [(score, one) for score, one in scored if score >= self._terms.hint_from]
            await self._note_queries([pattern for _, pattern in similar], now)
        except StorageError:
            # Work goes on without patterns; the log says what is wrong with them.
            logger.exception("patterns cannot be searched")
            return PatternFinding()
        # Whoever asks now has asked within the last days, also where it is a draft until then.
        matches = [
            FoundPattern(
                pattern=pattern,
                similarity=score,
                missing_tools=tuple(sorted(pattern.tools - frozenset(tools))),
            )
            for score, pattern in sorted(similar, key=lambda one: (-one[0], one[1].id))
            if find_state(with_query(pattern, now), now, self._terms) == "trusted"
        ]
        return self._choose(matches)

    async def learn(
        self,
        trace: InteractionTrace,
        *,
        user_id: str = "",
        switches: LearningSwitches,
        pattern_id: str | None = None,
    ) -> InteractionPattern | None:
        """Learn from a finished run; `pattern_id` is the pattern it worked by, if any.

        Learning from a run again counts nothing twice. None: there is nothing to learn, or nobody
        wants it.
        """
        signature = sign_goal(trace.user_goal)
        if not switches.are_on or not (signature or pattern_id):
            return None
        for _ in range(PATTERN_LEARN_TRIES_MAX):
            now = self._clock()
            try:
                known = await self._store.get(
                    pattern_id or make_pattern_id(self._tenant_id, signature)
                )
                if known is not None:
                    learned = learn(known, trace, now, self._terms)
                    if learned == known:
                        return known
                    return await self._store.save(with_author(learned, user_id))
                if pattern_id is not None:
                    return None  # deleted during the run: it is not to come back
                return await self._add(trace, user_id, now)
            except NotFoundError:
                return None  # deleted meanwhile, as above
            except ConflictError:
                continue  # another process was faster: learn from what it stored
        raise ConflictError(
            f"The pattern of the run {trace.run_id} was changed {PATTERN_LEARN_TRIES_MAX} times "
            "meanwhile: learn from the run again later."
        )

    async def learn_again(
        self, trace: InteractionTrace, *, user_id: str = "", pattern_id: str | None = None
    ) -> InteractionPattern | None:
        """Take over what a user said of a run since; None: no pattern has learned from it."""
        now = self._clock()
        wanted = pattern_id or make_pattern_id(self._tenant_id, sign_goal(trace.user_goal))

        def change(pattern: InteractionPattern) -> InteractionPattern:
            if find_learned_run(pattern, trace) is None:
                return pattern
            learned = learn(pattern, trace, now, self._terms)
            return pattern if learned == pattern else with_author(learned, user_id)

        changed = await self.update(wanted, change)
        return changed if changed and find_learned_run(changed, trace) else None

    async def update(
        self, pattern_id: str, change: Callable[[InteractionPattern], InteractionPattern]
    ) -> InteractionPattern | None:
        """Change a pattern as it is now; None: there is none any more."""
        for _ in range(PATTERN_LEARN_TRIES_MAX):
            known = await self._store.get(pattern_id)
            if known is None:
                return None
            changed = change(known)
            if changed == known:
                return known
            try:
                return await self._store.save(changed)
            except NotFoundError:
                return None
            except ConflictError:
                continue  # another process was faster
        raise ConflictError(
            f"The pattern {pattern_id} was changed {PATTERN_LEARN_TRIES_MAX} times meanwhile: try "
            "again later."
        )

    async def get(self, pattern_id: str) -> InteractionPattern | None:
        """Return a pattern in the state it is in now."""
        found = await self._store.get(pattern_id)
        return with_state(found, self._clock(), self._terms) if found else None

    async def list_page(
        self,
        *,
        user_id: str | None = None,
        limit: int = PATTERNS_PAGE_DEFAULT,
        offset: int = 0,
    ) -> list[InteractionPattern]:
        """Return a page of patterns in the state they are in now, the last changed first."""
        page = await self._store.list_page(user_id=user_id, limit=limit, offset=offset)
        return [with_state(pattern, self._clock(), self._terms) for pattern in page]

    async def forget(self, pattern_id: str) -> bool:
        """Delete a pattern; say whether there was one."""
        return await self._store.delete(pattern_id)

    async def mark_useless(self, pattern_id: str) -> bool:
        """Delete a pattern that a person called useless: at once, whatever its counts are."""
        return await self._store.delete(pattern_id)

    async def edit(
        self,
        pattern_id: str,
        version: int,
        *,
        name: str | None = None,
        description: str | None = None,
        steps: Sequence[PatternStep] | None = None,
        corrections: Sequence[str] | None = None,
        user_id: str | None = None,
    ) -> InteractionPattern:
        """Change what a person may change, and return the pattern; `version` is the one shown.

        `user_id` is who changes it; None: the person whose pattern it is.
        """
        known = await self._store.get(pattern_id)
        if known is None:
            raise NotFoundError(f"There is no pattern {pattern_id!r}.")
        shown = replace(known, version=version, updated_at=self._clock())
        if name is not None:
            if not name.strip():
                raise ValidationError("The name of a pattern is empty: say what it is for.")
            shown = replace(shown, name=scrub(name, PATTERN_NAME_CHARS_MAX))
        if description is not None:
            shown = replace(shown, description=scrub(description))
        if steps is not None:
            shown = replace(shown, steps=check_steps(steps))
        if corrections is not None:
            shown = replace(shown, corrections=add_texts((), map(scrub, corrections)))
        author = known.user_id if user_id is None else user_id
        return await self._store.save(with_author(shown, author))

    async def _add(
        self, trace: InteractionTrace, user_id: str, now: datetime
    ) -> InteractionPattern | None:
        if not trace.success:
            return None
        made = extract_pattern(trace, tenant_id=self._tenant_id, user_id=user_id, now=now)
        if not (made.steps or made.decision_preferences or made.corrections):
            return None  # an answer without work: there is no way of working to repeat
        try:
            return await self._store.add(with_state(made, now, self._terms))
        except LimitReachedError:
            logger.exception("the run %s was not learned from", trace.run_id)
            return None

    async def _note_queries(self, patterns: Sequence[InteractionPattern], now: datetime) -> None:
        unnoted = [
            pattern.id
            for pattern in patterns
            if pattern.last_queried_at is None or now - pattern.last_queried_at >= _NOTED_EVERY
        ]
        await self._store.note_queries(unnoted, now)

    def _choose(self, matches: Sequence[FoundPattern]) -> PatternFinding:
        usable = [match for match in matches if not match.missing_tools]
        best = usable[0] if usable and usable[0].similarity > self._terms.offer_over else None
        others = [match for match in usable if match is not best]
        return PatternFinding(
            offer=best,
            hints=tuple(others[: self._terms.hints_max]),
            unusable=tuple(match for match in matches if match.missing_tools),
        )


def check_steps(steps: Sequence[PatternStep]) -> tuple[PatternStep, ...]:
    """Return the steps that a person wrote as a pattern keeps them, or refuse them."""
    if len(steps) > PATTERN_STEPS_MAX:
        raise ValidationError(
            f"A pattern may have {PATTERN_STEPS_MAX} steps, and these are {len(steps)}: join some."
        )
    for tool in (tool for step in steps for tool in step.tools):
        if not is_tool_name(tool):
            raise ValidationError(f"{tool!r:.100} is no name of a tool: use letters, digits and _.")
    return tuple(
        replace(
            step,
            description=scrub(step.description),
            expected_output=scrub(step.expected_output),
            tools=tuple(dict.fromkeys(step.tools))[:PATTERN_STEP_TOOLS_MAX],
            decision_points=add_texts((), map(scrub, step.decision_points)),
            corrections=add_texts((), map(scrub, step.corrections)),
            # A person has read and written it.
            is_text_left_out=False,
        )
        for step in steps
    )
