"""What issue 7 promises of long work: its numbered items, and when it is done."""

from tests.requirements.entry import Requirement

_ITEMS: dict[int, str] = {
    1: "The window is shared out as S2 says; counting is incremental and corrected by the provider.",
    2: "What no longer fits is pruned, truncated or summarized; the stored history is not changed.",
    3: "Pins survive word for word, by code; a summary that loses one is rejected; recall reads all.",
    4: "A report shows how the context of a turn was spent.",
    5: "Tokens and money per call and in totals; an unknown price shows as unknown.",
    6: "Budgets reserve the worst case before a call; at the limit a person is asked.",
    7: "Errors are retried by their class, with a breaker per endpoint and models that fit.",
    8: "Requests begin alike from turn to turn, and what was cached is reported.",
    9: "Usage, budgets and the context from the command line and over REST.",
}

_DONE_WHEN: dict[str, str] = {
    "view-fits": "For any history the view fits the window.",
    "view-pairs": "A view keeps tool calls with their results.",
    "view-keeps": "A view keeps the last two turns and every pin whenever they fit.",
    "view-gives-way": "Otherwise it gives way in the stated order, with references left behind.",
    "prune-twice": "Pruning twice equals pruning once.",
    "overflow": "A provider that says the context overflowed is asked again for less.",
    "failures": "Each failure of a provider has a test of what the person sees.",
}

F7: tuple[Requirement, ...] = tuple(
    Requirement(f"F7-{name}", text)
    for name, text in (*((str(n), text) for n, text in _ITEMS.items()), *_DONE_WHEN.items())
)
