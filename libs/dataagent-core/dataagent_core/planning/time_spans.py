"""Finds whether a text spans several times (S2 §6.2). Pure.

    "Q3 and Q4", "2022 to 2024", "between May and August"      two periods are named
    "the last six months", "过去 6 个月", "since Monday"         one stretch of several
    "this year against last year", "今年和去年"                  two of one kind, named by place

Hours and single days are no span: they say which part of one log is meant.
"""

from dataagent_core.planning.planning_words import TIME_PERIODS, TIME_STRETCH


def find_time_span(text: str) -> tuple[str, ...]:
    """Give the words of a text in lower case that name a span of times, or none."""
    stretch = TIME_STRETCH.search(text)
    if stretch:
        return (stretch[0],)
    for period in TIME_PERIODS:
        found = tuple(dict.fromkeys(period.findall(text)))
        if len(found) > 1:
            return found
    return ()
