"""DataAgent for many users: tenants, stores, runs, REST, WebSocket and SSE.

Start reading at `app.py` (what is served), `composition/` (how the parts are put together),
`runs/service.py` (how a message is handled), and `api/middleware/stack.py` (what wraps a request).
"""
