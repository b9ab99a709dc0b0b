"""Figures about the user's data in a session in which no query returned anything.

Such a figure is in `unsourced` with the reason `no_query`. The sentence must state something about
data, and nothing in the conversation may support it: what the user wrote, what a tool printed,
arithmetic over the user's figures (`derivation/known_figures.py`), or code in the answer.
Questions, examples, conditions, limits and general statements are no such claims; the words for
this are in `context/data_words.py`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from pydantic import JsonValue

from dataagent_core.config.limits.data import RECEIPT_TEXT_CHARS_MAX
from dataagent_core.tools.data.receipts.context.claims import DOWN, UP
from dataagent_core.tools.data.receipts.context.data_words import (
    ASKS,
    ASKS_VALUE,
    CLAUSE_END,
    CODE,
    CODE_TALK,
    HOW_TO,
    OF_THE_PERSON,
    OWN_DATA,
    RATE,
    ROWS,
    STATES_NOTHING,
    SUPPOSES,
    TASK,
    TASK_OF_VALUES,
    TASK_ON_DATA,
    TASK_ON_DESIGN,
    TECHNICAL,
    TURN,
    WORD,
)
from dataagent_core.tools.data.receipts.context.figure_context import FigureContext, read_contexts
from dataagent_core.tools.data.receipts.derivation.known_figures import KnownFigures
from dataagent_core.tools.data.receipts.figures.figure import Figure
from dataagent_core.tools.data.receipts.figures.figure_reader import read_figures
from dataagent_core.tools.data.receipts.figures.text_folds import fold_text
from dataagent_core.tools.data.receipts.measures.measure_words import names_business
from dataagent_core.tools.data.receipts.measures.word_families import is_same_family
from dataagent_core.tools.data.receipts.result_values.tool_numbers import ToolNumbers
from dataagent_core.tools.data.receipts.trace_values import ToolOutput, UserStatements

REASON = "no_query"

# Digits at which a number is an amount and no count of steps or options.
_AMOUNT_DIGITS_MIN = 3
_AMOUNT_MIN = 100
_FEW = 12
_THING = re.compile(r"[\s*_`]*[a-z]+|\s?[\u4e00-\u9fff]{1,4}")


def list_unqueried_figures(
    text: str, spoken: UserStatements, outputs: Sequence[ToolOutput]
) -> list[JsonValue]:
    """List the figures that state something about data, and that nothing supports."""
    question = fold_text(spoken.said[-1]) if spoken.said else ""
    own = spoken.has_source or bool(OWN_DATA.search(question))
    if not own:
        return []
    asks_values = _asks_values(question)
    figures = read_figures(text)
    known = KnownFigures([*_list_recent(spoken.said), *CODE.findall(text)])
    seen = ToolNumbers(outputs)
    found: list[JsonValue] = []
    pairs = list(zip(figures, read_contexts(text, figures), strict=True))
    for _, group in groupby(pairs, key=lambda pair: text.count("\n", 0, pair[0].start)):
        free = [
            (figure, context)
            for figure, context in group
            if not figure.doubtful
            and seen.find(figure) is None
            and not known.supports(figure)
            and not _states_nothing(context)
            and not _counts_few(figure, context)
            and (asks_values or _is_of_the_user(context))
        ]
        # What a line says of one of its figures, it says of the others too.
        if any(_is_about_data(figure, context, question) for figure, context in free):
            found += [_make_unsourced(figure) for figure, _ in free]
    return found


def _asks_values(question: str) -> bool:
    """Say whether values may be asked for: not by a how-to question, nor by most instructions."""
    if HOW_TO.search(question):
        return False
    if not TASK.search(question):
        return True
    about_design = any(
        pattern.search(question) for pattern in (TASK_ON_DESIGN, CODE_TALK, TECHNICAL)
    )
    if about_design or not names_business(question):
        return False
    own = OWN_DATA.search(question) and TASK_ON_DATA.search(question)
    return bool(own or TASK_OF_VALUES.search(question))


def _is_of_the_user(context: FigureContext) -> bool:
    """Say whether a sentence states a measure of the user's own: "your churn is 4.4%"."""
    before = context.sentence[: context.start]
    return names_business(before) and OF_THE_PERSON.search(before) is not None


def _list_recent(said: Sequence[str]) -> list[str]:
    """Return the newest messages, up to the limit for one receipt."""
    found: list[str] = []
    left = RECEIPT_TEXT_CHARS_MAX
    for text in reversed(said):
        if left <= 0:
            break
        found.append(text[:left])
        left -= len(text)
    return found


def _is_about_data(figure: Figure, context: FigureContext, question: str) -> bool:
    """Say whether a sentence states a figure of data."""
    around = f"{context.above} {context.earlier} {_get_words(context)}"
    if names_business(around) or RATE.search(around):
        return True
    if CODE_TALK.search(question) or CODE_TALK.search(around):
        return False
    if context.in_table or ROWS.match(context.sentence, context.end):
        return True
    left, right = context.segment
    words = context.sentence[left:right]
    if figure.kind in ("percent", "points") and (UP.search(words) or DOWN.search(words)):
        return True  # something measured went up or down
    amount = figure.kind in ("number", "ratio") and abs(figure.value) >= _AMOUNT_MIN
    exact = figure.digits >= _AMOUNT_DIGITS_MIN or figure.scale != 1
    if amount and exact:
        return True
    return names_business(question) or _is_requested(context, question)


def _get_words(context: FigureContext) -> str:
    return " ".join((context.sentence, context.header, *context.cells))


def _counts_few(figure: Figure, context: FigureContext) -> bool:
    """Say whether it is a small number of things that are no business: "2 errors"."""
    if figure.kind != "number" or not 0 <= figure.value <= _FEW or figure.step < 1:
        return False
    if context.in_table or figure.scale != 1:
        return False
    behind = _THING.match(context.sentence, context.end)
    return behind is None or not names_business(behind[0])


def _states_nothing(context: FigureContext) -> bool:
    words, ends = _get_words(context), context.sentence[context.end :]
    if ASKS.search(ends) or SUPPOSES.search(words) or TECHNICAL.search(words):
        return True
    return STATES_NOTHING.search(words if context.in_table else _get_scope(context)) is not None


def _get_scope(context: FigureContext) -> str:
    """Return the words that qualify a figure: those before it, and the rest of its clause.

    Another clause says nothing about it: "revenue was 4.2 million, so you should".
    """
    sentence = context.sentence
    begin = max((turn.end() for turn in TURN.finditer(sentence, 0, context.start)), default=0)
    for pause in CLAUSE_END.finditer(sentence, context.end):
        # Of "150, 200 or 250 are typical" every figure is meant.
        after = sentence[pause.end() :]
        figure_at = pause.end() + len(after) - len(after.lstrip(" *_`$€£\u00a5"))
        if all(start != figure_at for start, _ in context.spans):
            return sentence[begin : pause.start()]
    return sentence[begin:]


def _is_requested(context: FigureContext, question: str) -> bool:
    """Say whether the question asks for a value, and the sentence speaks of what it asks for."""
    if not ASKS_VALUE.search(question):
        return False
    asked = WORD.findall(ASKS_VALUE.sub(" ", question))
    return any(
        word == other or (word.isascii() and other.isascii() and is_same_family(word, other))
        for word in _list_words(context.sentence)
        for other in asked
    )


def _list_words(sentence: str) -> Iterator[str]:
    """Return the words of a sentence; of Chinese, any two characters side by side."""
    for run in re.findall(r"[a-z]{4,}|[\u4e00-\u9fff]{2,}", sentence):
        if run.isascii():
            yield run
        else:
            yield from (run[at : at + 2] for at in range(len(run) - 1))


def _make_unsourced(figure: Figure) -> JsonValue:
    return {"text": figure.text, "start": figure.start, "end": figure.end, "reason": REASON}
