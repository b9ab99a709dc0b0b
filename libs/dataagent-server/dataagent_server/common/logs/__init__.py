"""Structured logs: one line per fact, with the request's id and without secrets.

Modules log with `logging.getLogger(__name__)` and facts as `extra={...}`; the form is chosen here.
"""

from dataagent_server.common.logs.configure import configure_logs
from dataagent_server.common.logs.request_id import current_request_id

__all__ = ["configure_logs", "current_request_id"]
