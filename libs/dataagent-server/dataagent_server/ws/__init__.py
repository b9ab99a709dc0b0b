"""`/ws/chat/{session_id}`: talk to an agent and follow a session, over one connection.

`chat.py` is the loop, `frames.py` what goes over the wire, `reading.py` the way out. Whether there
is room is `connections/`'s business.
"""
