"""S0's name for what handles the messages of one WebSocket."""

from dataagent_server.ws.chat import ChatSocket as WebSocketChatHandler

__all__ = ["WebSocketChatHandler"]
