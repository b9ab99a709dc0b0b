"""Server-sent events: the same log, in S2's form.

`frames.py` writes it, `stream.py` sends it, `reading.py` and `agent_chat.py` are the routes.
"""
