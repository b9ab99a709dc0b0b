"""The number of repetitions of a test in `make test`, `test-full`, `test-slow` and `soak`."""

import os

EXAMPLES_DEFAULT = 25
_EXAMPLES_FULL = 100
_EXAMPLES_MIN = 5


def default_examples() -> int:
    """Return the number of examples of a property without a number of its own."""
    return int(os.environ.get("DATAAGENT_TEST_EXAMPLES", str(EXAMPLES_DEFAULT)))


def examples(full: int) -> int:
    """Return the number of examples of a property that has so many in `make test-full`."""
    return max(_EXAMPLES_MIN, full * default_examples() // _EXAMPLES_FULL)


def examples_elsewhere(on_sqlite: int) -> int:
    """Return the examples of a property on MariaDB and PostgreSQL: there fewer are enough."""
    if os.environ.get("DATAAGENT_SOAK") == "1":
        return on_sqlite
    return min(on_sqlite, max(_EXAMPLES_MIN, on_sqlite // 5))


def rounds(sample: int, *, soak: int) -> int:
    """Return the rounds of a long loop: a sample, or all of them under DATAAGENT_SOAK=1."""
    return soak if os.environ.get("DATAAGENT_SOAK") == "1" else sample
