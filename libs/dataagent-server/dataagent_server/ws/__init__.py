"""`/ws/chat/{session_id}`: talk to an agent and follow a session, over one connection.

`chat.py` is the loop, `frames.py` what goes over the wire, `socket_writer.py` the way out. Whether
there is room says `sessions/live/connection_manager.py`.
"""
