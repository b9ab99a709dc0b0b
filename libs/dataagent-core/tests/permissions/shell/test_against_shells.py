"""What the judge allows by default does nothing in a real bash and a real dash.

Random lines are judged; those allowed are run, confined, with a canary on the path. The canary must
not run, and no file may change. A line that gets through is a survivor: it goes into
`survivors.py`, and the judge is repaired.
"""

import shlex
from collections.abc import Iterator
from itertools import islice

import pytest
from canary_shells import BASH, DASH, CanaryShells, Effect
from fuzz_lines import fuzzed
from honest_lines import HONEST
from judging import decide
from nasty_lines import ASKED, ASKED_WHOLE, DENIED, DENIED_WHOLE
from smuggled_lines import all_smuggled
from survivors import SURVIVORS

from tests.counts import rounds

SHELLS = {"bash": BASH, "dash": DASH}
SEEDS = 4
LINE_CHARS_MAX = 400


@pytest.fixture(scope="module")
def shells() -> Iterator[CanaryShells]:
    with CanaryShells() as opened:
        yield opened


def as_judged(shell: str, line: str) -> str:
    """Write a line as the judge sees it: bash runs lines, dash the scripts of `sh`."""
    return line if shell == "bash" else "sh -c " + shlex.quote(line)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_canary_is_heard_and_changes_are_seen(shells: CanaryShells, shell: str):
    words = SHELLS[shell]
    assert shells.run(words, "canary").canary_ran
    assert shells.run(words, "PATH=.; ls").canary_ran
    assert shells.run(words, "echo x > f").changed
    assert shells.run(words, "rm a").changed
    assert not shells.run(words, "cat a; ls > /dev/null; true canary")


@pytest.mark.parametrize(("shell", "line"), SURVIVORS)
def test_no_survivor_is_allowed_again(shell: str, line: str):
    assert decide(as_judged(shell, line)) != "allow"


def test_every_survivor_does_something(shells: CanaryShells):
    """Keep the list honest: a line that does nothing tests nothing."""
    assert [line for shell, line in SURVIVORS if not shells.run(SHELLS[shell], line)] == []


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_allowed_of_the_known_lines_does_nothing(shells: CanaryShells, shell: str):
    allowed = [line for line in HONEST[:40] if decide(as_judged(shell, line)) == "allow"]
    assert len(allowed) > 30
    assert [line for line in allowed if shells.run(SHELLS[shell], line)] == []


@pytest.mark.slow
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_is_allowed_does_nothing_in_a_long_search(shells: CanaryShells, seed: int):
    known = [*HONEST, *all_smuggled(), *ASKED, *DENIED, *ASKED_WHOLE, *DENIED_WHOLE]
    known = [line for line in known if len(line) < LINE_CHARS_MAX and line.isprintable()]
    allowed, survivors = 0, list[tuple[str, str, Effect]]()
    for line in islice(fuzzed(seed, known), rounds(1_500, soak=250_000)):
        for shell, words in SHELLS.items():
            if decide(as_judged(shell, line)) == "allow":
                allowed += 1
                if effect := shells.run(words, line):
                    survivors.append((shell, line, effect))
    assert survivors == []
    # A search in which nothing is allowed would find nothing.
    assert allowed > 100
