"""Records changes in the audit log, in the same transaction as the change itself.

Call `record` last in a transaction: from there until the commit the tenant's chain is locked.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection

from dataagent_core.errors import ValidationError
from dataagent_core.language.unicode_text import storable
from dataagent_core.secrets import Keyring
from dataagent_core.session.stores.sql.dialect import KEY_CHARS_MAX
from dataagent_server.identity.audit import audit_rows
from dataagent_server.identity.audit.chain import (
    GENESIS,
    AuditRow,
    ChainBreak,
    ChainHead,
    canonical,
    first_break,
    seal_head,
    seal_row,
)

DETAIL_CHARS_MAX: Final = 16_000


def _now() -> datetime:
    return datetime.now(UTC)


class AuditTrail:
    """The chains of all tenants, under the installation's keys."""

    def __init__(self, keyring: Keyring, clock: Callable[[], datetime] = _now) -> None:
        self._keyring = keyring
        self._clock = clock

    def record(  # noqa: PLR0917 (every feature calls it; the order reads as a sentence)
        self,
        connection: Connection,
        tenant_id: str,
        actor: str,
        action: str,
        resource: str,
        detail: Mapping[str, Any] | None = None,
    ) -> AuditRow:
        """Add a row to the tenant's chain.

        No secrets in `detail`: give `digest(...)` of what must be provable but not readable. A
        detail that is too long is replaced by its digest.
        """
        text = canonical(storable(dict(detail or {})))
        if len(text) > DETAIL_CHARS_MAX:
            text = canonical({"chars": len(text), "digest": self.digest(dict(detail or {}))})
        key_id = self._keyring.current.key_id
        empty = seal_head(self._keyring, ChainHead(tenant_id, 0, GENESIS, key_id))
        last = audit_rows.lock_head(connection, tenant_id, empty)
        row = AuditRow(
            tenant_id=tenant_id,
            seq=last.seq + 1,
            at=self._clock(),
            actor=_shorten(actor),
            action=action,
            resource=_shorten(resource),
            detail=text,
            key_id=key_id,
            prev=last.mac,
        )
        row = seal_row(self._keyring, row)
        head = seal_head(self._keyring, ChainHead(tenant_id, row.seq, row.mac, key_id))
        audit_rows.append(connection, row, head)
        return row

    def digest(self, value: object) -> str:
        """Hash what must not be readable.

        Keyed, because the plain hash of a short secret can be guessed.
        """
        text = canonical(storable(value))
        return "hmac-sha256:" + self._keyring.mac("audit-digest", text.encode()).hex()

    def verify(self, connection: Connection, tenant_id: str) -> ChainBreak | None:
        """Find the first broken place of one tenant's chain, while others may add to it."""
        # Rows and head are committed together, so all rows up to a head exist with it.
        head = audit_rows.find_head(connection, tenant_id)
        upto = head.seq if head else None
        chain = audit_rows.rows_of(connection, tenant_id, upto=upto)
        broken = first_break(self._keyring, tenant_id, chain, head)
        if broken is not None:
            return broken
        last = audit_rows.last_seq(connection, tenant_id)
        head = audit_rows.find_head(connection, tenant_id)
        if head is None or last > head.seq:
            return ChainBreak(upto or 0, f"rows go on to {last}, beyond where the chain ended")
        return None

    def differs(self, connection: Connection, tenant_id: str, anchor: str) -> ChainBreak | None:
        """Compare a chain with `SEQ:MAC`, an end of it stored elsewhere."""
        text, _, mac = anchor.strip().partition(":")
        if not text.isdecimal() or not mac:
            raise ValidationError(f"{anchor!r:.100} is not SEQ:MAC, as `audit head` prints it.")
        seq = int(text)
        found = audit_rows.page_of(connection, tenant_id, seq - 1, 1, seq) if seq else []
        if found and found[0].mac == mac:
            return None
        return ChainBreak(
            seq, f"row {seq} is not the one that was there when {anchor[:30]}... was kept"
        )

    def require_known_keys(self, connection: Connection) -> None:
        """Refuse to work on a database with another key file.

        A new key file would lock all users out and break every chain, without a message.
        """
        for key_id in audit_rows.head_key_ids(connection):
            self._keyring.key(key_id)


def _shorten(text: str) -> str:
    # PostgreSQL's text holds no NUL.
    clean = storable(text).replace("\x00", "\ufffd")
    return clean if len(clean) <= KEY_CHARS_MAX else clean[: KEY_CHARS_MAX - 3] + "..."
