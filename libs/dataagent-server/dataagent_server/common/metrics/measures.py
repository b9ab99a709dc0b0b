"""The metrics of the server; one registry per application.

The code that does something counts it: the middleware requests, `ws/` and `api/sse/` connections,
`runs/` runs, `sessions/live/` the delay of events, `agents/mcp_servers/` MCP connections.
"""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_LATENCY_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_LAG_S: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 5)


class Metrics:
    """The counters of one application; gauges are summed over the worker processes."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry(auto_describe=False)
        self.requests = Counter(
            "dataagent_http_requests",
            "Requests answered",
            ["method", "route", "status"],
            registry=registry,
        )
        self.request_s = Histogram(
            "dataagent_http_request_seconds",
            "Time until a request began to be answered",
            ["method", "route"],
            buckets=_LATENCY_S,
            registry=registry,
        )
        self.refused = Counter(
            "dataagent_http_refused",
            "Requests refused before they reached a route",
            ["reason"],
            registry=registry,
        )
        self.requests_active = self._gauge(
            "dataagent_http_requests_active", "Requests being worked on"
        )
        self.connections = Gauge(
            "dataagent_connections",
            "Open live connections",
            ["kind"],
            registry=registry,
            multiprocess_mode="livesum",
        )
        self.runs_active = self._gauge("dataagent_runs_active", "Runs this server works on")
        self.runs_ended = Counter(
            "dataagent_runs_ended", "Runs that ended", ["reason"], registry=registry
        )
        self.mcp_connections = Gauge(
            "dataagent_mcp_connections",
            "Open connections to MCP servers",
            ["transport"],
            registry=registry,
            multiprocess_mode="livesum",
        )
        self.mcp_failures = Counter(
            "dataagent_mcp_failures",
            "Connections to MCP servers that could not be opened",
            ["transport"],
            registry=registry,
        )
        self.events = Counter("dataagent_events", "Events appended to the log", registry=registry)
        self.event_lag_s = Histogram(
            "dataagent_event_lag_seconds",
            "Time from an event to its live reader",
            buckets=_LAG_S,
            registry=registry,
        )

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(name, text, registry=self.registry, multiprocess_mode="livesum")
