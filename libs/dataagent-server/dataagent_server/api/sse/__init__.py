"""Server-sent events: the same log, in S2's form.

`frames.py` writes it, `event_stream.py` sends it, `session_events.py` and `agent_chat.py` are
the routes.
"""
