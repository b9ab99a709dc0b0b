"""Many people at once: tenants, stores, runs, REST, WebSocket and SSE.

Start reading at `app.py` (what is served), `composition/` (what it is made of), `runs/service.py`
(what becomes of a message), and `api/middleware/stack.py` (what wraps a request).
"""
