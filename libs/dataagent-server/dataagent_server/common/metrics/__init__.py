"""The metrics of the server, for Prometheus."""

from dataagent_server.common.metrics.measures import Metrics

__all__ = ["Metrics"]
