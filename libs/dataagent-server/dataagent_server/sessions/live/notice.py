"""Notices between processes. A lost one costs time, never an event: polling finds it too."""

from dataclasses import dataclass
from typing import Literal, get_args

import orjson

from dataagent_server.common.ids import TenantId

# grown: a session's log has come to `seq`.  ended: a session was deleted.
# rights: somebody may read a session no longer.
# cancel: stop the run `subject`.  work: there is a run to take up.
Kind = Literal["grown", "ended", "rights", "cancel", "work"]


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice; `subject` is a session or a run."""

    kind: Kind
    tenant_id: TenantId
    subject: str
    seq: int = 0


def encode_notice(notice: Notice, sender: str) -> bytes:
    """Write a notice with its sender."""
    parts = [sender, notice.kind, notice.tenant_id, notice.subject, notice.seq]
    return orjson.dumps(parts)


def decode_notice(data: bytes | str, own: str) -> Notice | None:
    """Read a notice; None for our own and for invalid ones."""
    try:
        sender, kind, tenant_id, subject, seq = orjson.loads(data)
    except (ValueError, TypeError):
        return None
    if sender == own or kind not in get_args(Kind):
        return None
    if not isinstance(subject, str) or not isinstance(tenant_id, str) or not isinstance(seq, int):
        return None
    return Notice(kind, TenantId(tenant_id), subject, seq)
