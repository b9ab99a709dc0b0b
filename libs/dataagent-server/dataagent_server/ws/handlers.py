"""S0's name of the handler of one WebSocket."""

from dataagent_server.ws.chat import ChatSocket as WebSocketChatHandler

__all__ = ["WebSocketChatHandler"]
