"""S0's name for the handler of every agent on the server.

It holds no connection: it leaves the question in the log and lets the run wait. A WebSocket's
`hitl_decision`, or `POST /api/v1/requests/{id}`, answers it, and the run is taken up again.
"""

from dataagent_server.runs.nobody import NobodyHere as WebSocketHITLHandler

__all__ = ["WebSocketHITLHandler"]
