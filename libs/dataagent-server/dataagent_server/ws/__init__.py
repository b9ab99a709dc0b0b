"""`/ws/chat/{session_id}`: talk to an agent and follow a session, over one connection.

`chat.py` is the loop, `chat_frames.py` defines the frames, and `socket_writer.py` sends them.
`sessions/live/connection_manager.py` limits the number of connections.
"""
