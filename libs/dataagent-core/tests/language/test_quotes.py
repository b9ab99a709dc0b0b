"""What people say in words of a result is found, also in a very long run."""

import random
import string
import time

from dataagent_core.config.limits.patterns import (
    PATTERN_TEXT_CHARS_MAX,
    TRACE_QUESTIONS_MAX,
    TRACE_RESULT_CHARS_MAX,
)
from dataagent_core.language.quotes import find_quotes


def test_parts_are_found_among_few_texts_and_among_many() -> None:
    chance = random.Random(7)
    page = make_text(chance, 5_000)
    quotes = {f"see {page[at : at + 60].upper()}" for at in range(0, 4_000, 100)}
    han = "按地区统计每个月的销售额并且画成图表给我看" * 2
    own = {make_text(chance, 60) for _ in range(200)}
    for others in (set[str](), own):
        for quote in (*list(quotes)[:3], han):
            assert find_quotes({quote, *others}, [page, f"。{han}"]) == {quote}
    assert find_quotes(quotes | own, [page]) == quotes


def test_a_short_quote_is_found_wherever_it_begins() -> None:
    page = "you cite every figure that you name"
    texts = {f"{before}{page}" for before in ("", "a ", "abc ", "Well, ")}
    assert find_quotes(texts, [page], step_chars=1) == texts


def test_the_time_does_not_grow_with_texts_times_results() -> None:
    chance = random.Random(7)
    results = [make_text(chance, TRACE_RESULT_CHARS_MAX) for _ in range(20)]
    texts = {make_text(chance, PATTERN_TEXT_CHARS_MAX) for _ in range(2 * TRACE_QUESTIONS_MAX)}
    began_s = time.process_time()
    assert find_quotes(texts, results) == frozenset()
    # Of 500 calls that a run may make 20; each text in each result took 5 s.
    assert time.process_time() - began_s < 1.5


def make_text(chance: random.Random, chars: int) -> str:
    return "".join(chance.choices(string.ascii_lowercase, k=chars))
