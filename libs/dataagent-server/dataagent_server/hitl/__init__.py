"""Human in the loop on the server, under S0's names."""

from dataagent_server.hitl.websocket_handler import WebSocketHITLHandler

__all__ = ["WebSocketHITLHandler"]
