"""Which paths are for machines that watch the server: no limits, and no noise in the log."""

from typing import Final

PROBES: Final = frozenset({"/api/v1/health", "/api/v1/ready", "/metrics"})


def is_probe(path: str) -> bool:
    """Return whether a path is asked by whatever watches the server."""
    return path in PROBES
