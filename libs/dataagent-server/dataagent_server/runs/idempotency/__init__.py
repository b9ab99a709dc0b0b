"""`Idempotency-Key`: a request that is sent twice is executed once, and answered the same."""

from dataagent_server.runs.idempotency.key import IdempotencyKey, RepeatedError, key_for

__all__ = ["IdempotencyKey", "RepeatedError", "key_for"]
