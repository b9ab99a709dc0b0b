"""The audit chain: what a row's keyed hash covers, and where a chain is broken. Pure.

Each row hashes the previous one, so that none can be changed, removed or moved without the key. The
end is stored as a head with its own hash: without it the last rows could be cut off.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hmac import compare_digest
from typing import Final

from dataagent_core.errors import ConfigurationError
from dataagent_core.secrets import Keyring

_VERSION: Final = 1
GENESIS: Final = "0" * 64


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One audited fact. `detail` is canonical JSON; `mac` covers all other fields."""

    tenant_id: str
    seq: int
    at: datetime
    actor: str
    action: str
    resource: str
    detail: str
    key_id: str
    prev: str
    mac: str = ""


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The end of a chain: its last number and hash. `head_mac` covers both."""

    tenant_id: str
    seq: int
    mac: str
    key_id: str
    head_mac: str = ""


def canonical(value: object) -> str:
    """Write a JSON value in canonical form."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def seal_row(keyring: Keyring, row: AuditRow) -> AuditRow:
    """Return the row with its hash."""
    moment = row.at.astimezone(UTC).isoformat(timespec="microseconds")
    covered = [
        "row", _VERSION, row.tenant_id, row.seq, row.prev, row.key_id,
        moment, row.actor, row.action, row.resource, row.detail,
    ]  # fmt: skip
    return replace(row, mac=keyring.mac("audit", canonical(covered).encode(), row.key_id).hex())


def seal_head(keyring: Keyring, head: ChainHead) -> ChainHead:
    """Return the head with its hash."""
    covered = canonical(["head", _VERSION, head.tenant_id, head.seq, head.mac, head.key_id])
    return replace(head, head_mac=keyring.mac("audit", covered.encode(), head.key_id).hex())


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """The first broken place of a chain."""

    seq: int
    reason: str


def first_break(
    keyring: Keyring, tenant_id: str, rows: Iterable[AuditRow], head: ChainHead | None
) -> ChainBreak | None:
    """Walk a tenant's rows in order; None means that nothing was changed, moved or cut off."""
    seq, mac = 0, GENESIS
    try:
        for row in rows:
            if row.seq != seq + 1:
                return ChainBreak(seq + 1, f"row {seq + 1} is missing; the next one is {row.seq}")
            if row.tenant_id != tenant_id or row.prev != mac:
                return ChainBreak(row.seq, f"row {row.seq} does not follow the one before it")
            if not compare_digest(seal_row(keyring, row).mac, row.mac):
                return ChainBreak(row.seq, f"row {row.seq} was changed")
            seq, mac = row.seq, row.mac
        return _find_break_at_head(keyring, head, seq, mac)
    except ConfigurationError as error:
        return ChainBreak(seq + 1, str(error))


def _find_break_at_head(
    keyring: Keyring, head: ChainHead | None, seq: int, mac: str
) -> ChainBreak | None:
    if head is None:
        return ChainBreak(seq + 1, f"the record of where the chain ends is gone; rows end at {seq}")
    if not compare_digest(seal_head(keyring, head).head_mac, head.head_mac):
        return ChainBreak(seq + 1, "the record of where the chain ends was changed")
    if head.seq != seq:
        return ChainBreak(seq + 1, f"rows after {seq} were cut off; the chain ended at {head.seq}")
    if head.mac != mac:
        return ChainBreak(seq, f"row {seq} is not the one the chain ended with")
    return None
