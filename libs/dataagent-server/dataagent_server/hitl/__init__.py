"""Human in the loop on the server: requests as rows, and the handler that lets a run wait."""

from dataagent_server.hitl.websocket_handler import WebSocketHITLHandler

__all__ = ["WebSocketHITLHandler"]
