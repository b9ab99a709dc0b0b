"""An idempotency key: it stands for one request of one user. Pure."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dataagent_server.common.ids import TenantId


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """A user's key with a digest of the request."""

    tenant_id: TenantId
    user_id: str
    key: str
    request_hash: str


class RepeatedError(Exception):
    """A request with this key came a moment ago; never shown to a client."""


def key_for(
    tenant_id: TenantId, user_id: str, key: str, what: str, body: Mapping[str, Any]
) -> IdempotencyKey:
    """Bind a key to a request; `what` names the operation, so that one key cannot serve two."""
    text = json.dumps([what, body], sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return IdempotencyKey(tenant_id, user_id, key, digest)
