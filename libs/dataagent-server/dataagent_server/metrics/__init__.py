"""What the server counts, for Prometheus."""

from dataagent_server.metrics.measures import Metrics

__all__ = ["Metrics"]
