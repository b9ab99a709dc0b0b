"""Names on a server that all workers of a test run share."""

import itertools
import os

_numbers = itertools.count(1)


def worker_number() -> int:
    """Return the number of this worker of pytest-xdist; 0 without workers."""
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))


def unique_name(kind: str) -> str:
    """Make a name for a database or a login that no other worker and no other test uses."""
    return f"{kind}_{worker_number()}_{next(_numbers)}"
