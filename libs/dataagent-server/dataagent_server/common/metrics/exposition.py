"""Writing the metrics as Prometheus reads them, also when several workers share one port.

With `--workers N` every process writes its values into files of PROMETHEUS_MULTIPROC_DIR (the
client library's way), so that whichever worker is asked answers for all.
"""

import os
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from dataagent_server.common.metrics.measures import Metrics

DIRECTORY_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"


def exposition(metrics: Metrics) -> bytes:
    """Write this application's metrics, or those of all workers."""
    directory = os.environ.get(DIRECTORY_VARIABLE)
    if not directory:
        return generate_latest(metrics.registry)
    _forget_dead_workers(Path(directory))
    together = CollectorRegistry()
    MultiProcessCollector(together, path=directory)
    return generate_latest(together)


def _forget_dead_workers(directory: Path) -> None:
    # A worker that was killed could not take its gauges back.
    for file in directory.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists() and Path("/proc/self").exists():
            mark_process_dead(int(pid), str(directory))
