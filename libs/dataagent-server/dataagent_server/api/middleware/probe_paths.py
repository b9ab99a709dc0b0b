"""The paths of probes: no limits, and no log lines."""

from typing import Final

PROBES: Final = frozenset({"/api/v1/health", "/api/v1/ready", "/metrics"})


def is_probe(path: str) -> bool:
    """Return whether a path belongs to a probe."""
    return path in PROBES
