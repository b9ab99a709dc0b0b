"""The handler of every agent on the server: it answers nothing, so the run waits.

The request is in the log and in a row by then. A WebSocket's `hitl_decision`, or `POST
/api/v1/requests/{id}`, answers it, and the run is resumed.
"""

from dataagent_core.hitl import AbsentPersonHandler


class WebSocketHITLHandler(AbsentPersonHandler):
    """S0's name for it."""
