"""How much work a message is: simple, moderate or complex (S2 §6.2). Pure, without a model.

The five criteria of S2 are joined to an estimate of steps, and S2's borders of steps make the
class: 1-2 simple, 3-5 moderate, 6 and more complex. Each request is a step. A word of analysis and
a span of times each mean one more. A long text and several domains are weak signs and count half.
What surrounds a single request without analysis adds nothing: it is answered directly.

In doubt the class is the simpler one: a plan that nobody needs costs a call and a person's time.
What is quoted, pasted or a name decides nothing (`own_text.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dataagent_core.planning.message_requests import SentenceRequests, read_requests
from dataagent_core.planning.own_text import keep_own_text
from dataagent_core.planning.planning_words import ANALYSIS, DOMAINS, NEGATIONS
from dataagent_core.planning.time_spans import find_time_span

# Steps that each criterion adds; each request is one.
_ANALYSIS_STEPS: Final = 1.0
_SPAN_STEPS: Final = 1.0
_LENGTH_STEPS: Final = 0.5
_DOMAINS_STEPS: Final = 0.5
# More words of analysis in one message do not mean more work: "analyse", "evaluate", "assess".
_ANALYSIS_WORDS_COUNTED: Final = 2
# A sentence that asks for no work only names an analysis: "was the report sent?".
_ANALYSIS_NAMED_COUNTED: Final = 1
# Of what a criterion found, for a person to read.
_EVIDENCE_WORDS_MAX: Final = 10


class QueryComplexity(StrEnum):
    """How much work a message is; the values are S2's."""

    SIMPLE = "simple"
    MODERATE = "moderate"
    COMPLEX = "complex"


class ComplexityCriterion(StrEnum):
    """The five criteria of S2 §6.2, in its order."""

    LENGTH = "length"
    REQUESTS = "requests"
    ANALYSIS = "analysis"
    TIME_SPAN = "time_span"
    DOMAINS = "domains"


@dataclass(frozen=True, slots=True)
class ComplexityReason:
    """A criterion that holds, with the words that show it."""

    criterion: ComplexityCriterion
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ComplexityTerms:
    """The borders: of a text that is long, of several requests and domains, and of the classes."""

    # More characters than this are many.
    length_chars: int = 100
    requests_min: int = 2
    domains_min: int = 3
    moderate_steps_min: int = 3
    complex_steps_min: int = 6


@dataclass(frozen=True, slots=True)
class Complexity:
    """The class of a message and why it is this one."""

    level: QueryComplexity
    reasons: tuple[ComplexityReason, ...]
    # Requests of the message, and the steps they are estimated to need.
    requests: int
    steps: float


_DEFAULT_TERMS: Final = ComplexityTerms()


def classify(message: str, terms: ComplexityTerms = _DEFAULT_TERMS) -> Complexity:
    """Say how much work the text of a message is."""
    text = keep_own_text(message)
    lowered = text.lower()
    sentences = read_requests(lowered)
    requests = tuple(word for one in sentences for word in one.requests)
    analysis = _find_analysis(sentences)
    span = find_time_span(lowered)
    domains = DOMAINS.find(lowered)
    criteria = (
        (ComplexityCriterion.LENGTH, len(text) > terms.length_chars, ()),
        (ComplexityCriterion.REQUESTS, len(requests) >= terms.requests_min, requests),
        (ComplexityCriterion.ANALYSIS, bool(analysis), analysis),
        (ComplexityCriterion.TIME_SPAN, bool(span), span),
        (ComplexityCriterion.DOMAINS, len(domains) >= terms.domains_min, tuple(domains.values())),
    )
    reasons = tuple(
        ComplexityReason(criterion, words[:_EVIDENCE_WORDS_MAX])
        for criterion, holds, words in criteria
        if holds
    )
    steps = _estimate_steps(len(requests), len(analysis), {one.criterion for one in reasons})
    return Complexity(_grade(steps, terms), reasons, len(requests), steps)


def _estimate_steps(requests: int, analysis: int, holds: set[ComplexityCriterion]) -> float:
    if requests <= 1 and not analysis:
        return float(requests)
    return (
        requests
        + _ANALYSIS_STEPS * min(analysis, _ANALYSIS_WORDS_COUNTED)
        + _SPAN_STEPS * (ComplexityCriterion.TIME_SPAN in holds)
        + _LENGTH_STEPS * (ComplexityCriterion.LENGTH in holds)
        + _DOMAINS_STEPS * (ComplexityCriterion.DOMAINS in holds)
    )


def _grade(steps: float, terms: ComplexityTerms) -> QueryComplexity:
    if steps >= terms.complex_steps_min:
        return QueryComplexity.COMPLEX
    if steps >= terms.moderate_steps_min:
        return QueryComplexity.MODERATE
    return QueryComplexity.SIMPLE


def _find_analysis(sentences: Sequence[SentenceRequests]) -> tuple[str, ...]:
    """List a word for each kind of analysis that is wanted; what is only named counts little."""
    wanted: dict[str, str] = {}
    named: dict[str, str] = {}
    for sentence in sentences:
        # What stands behind a negation is not wanted: "no report needed".
        text = NEGATIONS.split(sentence.text, maxsplit=1)[0]
        asks_for_work = bool(sentence.requests) and not sentence.is_question
        for group, word in ANALYSIS.find(text).items():
            (wanted if asks_for_work else named).setdefault(group, word)
    extra = [word for group, word in named.items() if group not in wanted]
    return (*wanted.values(), *extra[:_ANALYSIS_NAMED_COUNTED])
