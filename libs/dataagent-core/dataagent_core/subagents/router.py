"""Chooses who gets a message (S2 §9.3): rules first, then the score. Pure.

1. What a person said: `@name`, `use` and `forbid`. Forbidden ones are never chosen.
2. A message of several parts (`message_parts.py`), each surely for another one by its score.
3. A keyword of several words that only one sub-agent has, word for word in the message and not
   behind a negation (`router_keywords.py`); else the score of words and meaning
   (`subagent_matcher.py`), high enough and well before the next one.
4. In between the route `is_unsure`: `router_question.py` asks a model.
5. Nobody fits: the agent does it itself.

Hidden sub-agents are chosen only by name, and so are those whose tools have nothing to work on.
Disabled ones, and those whose tools are missing, are never chosen.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from dataagent_core.config.limits.subagents import ROUTER_CHOSEN_MAX, SUBAGENT_STEPS_MAX
from dataagent_core.events.agents import DelegationMode
from dataagent_core.language.common_words import is_common
from dataagent_core.language.word_split import split_words
from dataagent_core.models.embeddings.message_ids import remove_ids
from dataagent_core.permissions.active_skills import lists_tool
from dataagent_core.permissions.tool_groups import TASK
from dataagent_core.subagents.availability import find_unavailable_reason
from dataagent_core.subagents.mentions import read_mentions
from dataagent_core.subagents.message_parts import names_a_leader, split_message
from dataagent_core.subagents.route import Candidate, Route, SubAgentScore
from dataagent_core.subagents.router_keywords import KeywordReadings, read_keywords
from dataagent_core.subagents.subagent import SubAgent

# `benchmarks/router_match.py` prints what these reach on messages that were held out. From here on
# a score decides, if the next one is this far behind.
SURE_SCORE_MIN: Final = 0.5
SURE_SCORE_LEAD_MIN: Final = 0.15
# From here on a model is asked, and the best one is taken when none can be; below it, nobody: the
# agent reads what each one is for anyway, and messages without meaning reach 0.16.
LIKELY_SCORE_MIN: Final = 0.17
# So many words that say something.
_LIKELY_WORDS_MIN: Final = 2
_KEYWORD_CONFIDENCE: Final = 0.9

Scores = Mapping[str, SubAgentScore]


def route(
    message: str,
    subagents: Sequence[SubAgent],
    scores: Scores,
    *,
    part_scores: Sequence[Scores] = (),
    use: Sequence[str] = (),
    forbid: Collection[str] = (),
    tools: Collection[str] | None = None,
    idle_tools: Collection[str] = (),
) -> Route:
    """Choose; `part_scores` are the scores of the parts of `split_message(message)`.

    `tools` are those that the agent has; without them every sub-agent counts as able to work.
    `idle_tools` have nothing to work on, as those of memory while nothing is remembered.
    """
    known = {one.name: one for one in subagents}
    mentions = read_mentions(message, known)
    wanted = tuple(dict.fromkeys((*use, *mentions.use)))
    forbidden = {*forbid, *mentions.forbid}
    keywords = KeywordReadings({}, {}) if wanted else read_keywords(message, subagents)
    candidates = _list_candidates(
        subagents,
        scores,
        wanted,
        forbidden,
        against=keywords.refused,
        tools=tools,
        idle_tools=idle_tools,
    )
    able = {one.name for one in candidates if not one.excluded}
    if wanted:
        return _follow_person(message, wanted, known, candidates, able)
    in_parts = _choose_for_parts(message, part_scores, candidates, able)
    if in_parts is not None:
        return in_parts
    named = keywords.find_only(able)
    if named is not None:
        name, keyword = named
        return Route(
            mode="single",
            chosen=(name,),
            confidence=_KEYWORD_CONFIDENCE,
            decided_by="rules",
            reason=f"Only {name} has the keyword {keyword!r}, which the message says.",
            candidates=candidates,
        )
    return _choose_by_score(candidates, likely_min=_find_likely_min(message))


def choose_mode(
    message: str, chosen: Sequence[str], known: Mapping[str, SubAgent]
) -> DelegationMode:
    """Choose how several work together, by the words that the message joins its tasks with."""
    if len(chosen) <= 1:
        return "single"
    if names_a_leader(message) and _may_delegate(known.get(chosen[0])):
        return "hierarchical"
    return split_message(message).order or "parallel"


def _may_delegate(subagent: SubAgent | None) -> bool:
    return subagent is not None and lists_tool(subagent.allowed_tools, TASK)


def _list_candidates(
    subagents: Sequence[SubAgent],
    scores: Scores,
    wanted: Collection[str],
    forbidden: Collection[str],
    *,
    against: Mapping[str, str],
    tools: Collection[str] | None,
    idle_tools: Collection[str],
) -> tuple[Candidate, ...]:
    listed: list[Candidate] = []
    for one in subagents:
        score = scores.get(one.name, SubAgentScore(0.0, 0.0))
        excluded = find_unavailable_reason(one, one.requires_tools if tools is None else tools)
        if one.name in forbidden:
            excluded = "it was forbidden for this message."
        elif excluded is None and one.hidden and one.name not in wanted:
            excluded = "it is hidden: it is only chosen by its name."
        elif excluded is None and one.name not in wanted and _is_idle(one, idle_tools):
            excluded = "its tools have nothing to work on yet: it is only chosen by its name."
        elif excluded is None and one.name in against and one.name not in wanted:
            excluded = f"the message does not want {against[one.name]!r}."
        listed.append(
            Candidate(
                id=one.id,
                name=one.name,
                score=score.score,
                keyword_score=score.keyword_score,
                semantic_score=score.semantic_score,
                reason=score.reason,
                excluded=excluded or "",
            )
        )
    return tuple(sorted(listed, key=lambda one: (bool(one.excluded), -one.score, one.name)))


def _is_idle(subagent: SubAgent, idle_tools: Collection[str]) -> bool:
    return any(name in idle_tools for name in subagent.requires_tools)


def _follow_person(
    message: str,
    wanted: Sequence[str],
    known: Mapping[str, SubAgent],
    candidates: Sequence[Candidate],
    able: Collection[str],
) -> Route:
    named = tuple(name for name in wanted if name in able)
    mode = choose_mode(message, named, known)
    # A second sequence would begin beside the first, without its reports.
    chosen = named[:SUBAGENT_STEPS_MAX] if mode == "sequential" else named
    excluded = {one.name: one.excluded for one in candidates}
    excluded |= dict.fromkeys(
        named[len(chosen) :],
        f"a message has at most {SUBAGENT_STEPS_MAX} sub-agents one after the other: ask for it "
        "in another message.",
    )
    refused = [
        f"{name} was asked for, but {excluded.get(name) or 'there is no such sub-agent.'}"
        for name in wanted
        if name not in chosen
    ]
    said = [f"The message asks for {', '.join(chosen)} by name."] if chosen else []
    return Route(
        mode=mode,
        chosen=chosen,
        confidence=1.0 if chosen else 0.0,
        decided_by="rules" if chosen else "none",
        reason=" ".join((*said, *refused)),
        candidates=tuple(candidates),
        refused=tuple(refused),
    )


def _choose_for_parts(
    message: str,
    part_scores: Sequence[Scores],
    candidates: Sequence[Candidate],
    able: Collection[str],
) -> Route | None:
    """Choose one for each part, where every part is sure and they are not all for the same."""
    split = split_message(message)
    if split.order is None or len(part_scores) != len(split.parts):
        return None
    best = [
        _find_sure({name: one for name, one in scores.items() if name in able})
        for scores in part_scores
    ]
    sure = [one for one in best if one is not None]
    chosen = tuple(dict.fromkeys(name for name, _ in sure))
    most = SUBAGENT_STEPS_MAX if split.order == "sequential" else ROUTER_CHOSEN_MAX
    if len(sure) != len(best) or not 1 < len(chosen) <= most:
        return None
    joined = "follow each other" if split.order == "sequential" else "are independent"
    return Route(
        mode=split.order,
        chosen=chosen,
        confidence=min(score for _, score in sure),
        decided_by="score",
        reason=f"The message has {len(best)} parts that {joined}: {', '.join(chosen)} fit them.",
        candidates=tuple(candidates),
    )


def _find_sure(scores: Scores) -> tuple[str, float] | None:
    ranked = sorted((-one.score, name) for name, one in scores.items())
    if not ranked or -ranked[0][0] < SURE_SCORE_MIN:
        return None
    if len(ranked) > 1 and ranked[1][0] - ranked[0][0] < SURE_SCORE_LEAD_MIN:
        return None
    return ranked[0][1], -ranked[0][0]


def _find_likely_min(message: str) -> float:
    """Say from which score on a model is asked; "write it" is not worth a call."""
    words = [word for word in split_words(remove_ids(message)) if not is_common(word)]
    return LIKELY_SCORE_MIN if len(words) >= _LIKELY_WORDS_MIN else SURE_SCORE_MIN


def _choose_by_score(candidates: Sequence[Candidate], *, likely_min: float) -> Route:
    able = [one for one in candidates if not one.excluded]
    if not able:
        return _choose_nobody("There is no sub-agent that could be chosen.", candidates)
    best = able[0]
    if best.score < likely_min:
        reason = f"No sub-agent fits: the best is {best.name} with {best.score:.2f}."
        return _choose_nobody(reason, candidates)
    reason, second = f"{best.name} has the best score, {best.score:.2f}.", 0.0
    if len(able) > 1:
        second = able[1].score
        reason = (
            f"{best.name} has the best score, {best.score:.2f}; the next is {able[1].name} "
            f"with {second:.2f}."
        )
    is_sure = best.score >= SURE_SCORE_MIN and best.score - second >= SURE_SCORE_LEAD_MIN
    return Route(
        mode="single",
        chosen=(best.name,),
        confidence=best.score,
        decided_by="score",
        reason=reason,
        candidates=tuple(candidates),
        is_unsure=not is_sure,
    )


def _choose_nobody(reason: str, candidates: Sequence[Candidate]) -> Route:
    return Route(
        mode="single",
        chosen=(),
        confidence=0.0,
        decided_by="none",
        reason=reason,
        candidates=tuple(candidates),
    )
