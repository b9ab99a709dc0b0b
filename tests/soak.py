"""How often a long loop goes round: a sample in `make test-slow`, all of it in `make soak`."""

import os


def rounds(sample: int, *, soak: int) -> int:
    """Give the smaller number, or the larger one under DATAAGENT_SOAK=1."""
    return soak if os.environ.get("DATAAGENT_SOAK") == "1" else sample
