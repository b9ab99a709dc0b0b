"""What a key stands for: one person's one request. Pure."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dataagent_server.common.ids import TenantId


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """A key as a person chose it, with a digest of what they asked for under it."""

    tenant_id: TenantId
    user_id: str
    key: str
    request_hash: str


class RepeatedError(Exception):
    """Somebody asked under this key a moment ago; never shown to anybody."""


def key_for(
    tenant_id: TenantId, user_id: str, key: str, what: str, body: Mapping[str, Any]
) -> IdempotencyKey:
    """Bind a key to a request; `what` names the operation, so that one key cannot serve two."""
    text = json.dumps([what, body], sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return IdempotencyKey(tenant_id, user_id, key, digest)
