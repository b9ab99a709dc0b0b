"""How far S2's estimate of tokens is from a real tokenizer, for texts of each sort.

Alone, as for the first request of a session; and corrected as in every later one, where the
provider has counted the request before and only what is new is estimated.
"""

import statistics
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate, pairwise

from token_texts import texts

from dataagent_core.tools.catalog.core_tools import estimate_tokens

ENCODING = "o200k_base"
INSTALL = "uv sync --all-packages --group bench"
# Of how many pieces a session is made: each request has one more than the one before.
_SESSION_PIECES = 20
Tokenizer = Callable[[str], int]


def tokenizer() -> Tokenizer | None:
    """Give a real tokenizer, whose vocabulary comes with its package; None without it."""
    if find_spec("bpe_openai") is None:
        return None
    # By its name: what only benchmarks need is not there when types are checked.
    encoding = import_module("bpe_openai").get_encoding(ENCODING)
    return lambda text: len(encoding.encode_ordinary(text))


def alone(count: Tokenizer, pieces: Sequence[str]) -> list[float]:
    """List the errors of the estimate, in per cent; more than there are is positive."""
    return [100 * (estimate_tokens(text) - real) / real for text in pieces if (real := count(text))]


def corrected(count: Tokenizer, pieces: Sequence[str]) -> list[float]:
    """List the errors of whole requests of which all but the newest piece was counted."""
    found: list[float] = []
    for at in range(0, len(pieces), _SESSION_PIECES):
        session = pieces[at : at + _SESSION_PIECES]
        sent = accumulate(map(count, session))
        for (before, whole), new in zip(pairwise(sent), session[1:], strict=True):
            found.append(100 * (before + estimate_tokens(new) - whole) / whole)
    return found


def figures(errors: Sequence[float]) -> tuple[float, float]:
    """Give the median and the 95th percentile of how far off they are, whichever way."""
    sizes = sorted(map(abs, errors))
    return statistics.median(sizes), sizes[min(int(len(sizes) * 0.95), len(sizes) - 1)]


def section() -> str:
    """Measure, and write the part of RESULTS.md."""
    title = "### S2's estimate beside a real tokenizer"
    count = tokenizer()
    if count is None:
        return f"{title}\nNot measured: `{INSTALL}` installs the tokenizer."
    rows = [
        "| text | pieces | median error % | p95 % | most often | corrected: median % | p95 % |",
        "|---|--:|--:|--:|---|--:|--:|",
    ]
    for sort, pieces in texts().items():
        errors = alone(count, pieces)
        median, high = figures(errors)
        way = "too many" if statistics.median(errors) > 0 else "too few"
        after, after_high = figures(corrected(count, pieces))
        rows.append(
            f"| {sort} | {len(pieces)} | {median:.0f} | {high:.0f} | {way} "
            f"| {after:.1f} | {after_high:.1f} |"
        )
    about = (
        f"Against `{ENCODING}`. Corrected: a request of 2 to {_SESSION_PIECES} such pieces, of "
        "which the provider has counted\nall but the newest, as in every turn after the first."
    )
    return "\n".join([title, about, "", *rows])


if __name__ == "__main__":
    print(section())
