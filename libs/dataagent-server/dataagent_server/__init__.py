"""Many people at once: tenants, stores, runs, REST, WebSocket and SSE.

Nothing lives here yet; the house keeps the room so that its place is settled.
"""
