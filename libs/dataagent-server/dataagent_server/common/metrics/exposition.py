"""Writes the metrics in Prometheus's format, also for several workers on one port.

With `--workers N` every process writes its values into files of PROMETHEUS_MULTIPROC_DIR (the
client library's mechanism), so that any worker answers for all.
"""

import os
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from dataagent_server.common.metrics.measures import Metrics

DIRECTORY_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"


def exposition(metrics: Metrics) -> bytes:
    """Write the metrics of this application, or of all workers."""
    directory = os.environ.get(DIRECTORY_VARIABLE)
    if not directory:
        return generate_latest(metrics.registry)
    _forget_dead_workers(Path(directory))
    together = CollectorRegistry()
    MultiProcessCollector(together, path=directory)
    return generate_latest(together)


def _forget_dead_workers(directory: Path) -> None:
    # A killed worker could not reset its gauges.
    for file in directory.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists() and Path("/proc/self").exists():
            mark_process_dead(int(pid), str(directory))
