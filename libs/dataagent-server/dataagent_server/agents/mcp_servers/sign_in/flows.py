"""Core's `PendingFlows` in the server's database: a sign-in may return to any process.

Each flow is encrypted, stored under the hash of its `state`, and taken once. A flow that a browser
began can only be finished by the same user (`of_person`).
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from dataagent_core.config.limits.mcp import MCP_SIGN_IN_S
from dataagent_core.mcp.oauth.pending_flow import PendingFlow
from dataagent_core.mcp.oauth.tokens import dump_tokens, load_tokens
from dataagent_core.secrets import Cipher, SecretLocation
from dataagent_server.agents.mcp_servers.limits import SIGN_INS_PER_USER_MAX
from dataagent_server.db.database import Database
from dataagent_server.db.tables.mcp import oauth_flows as table


@dataclass(frozen=True, slots=True)
class PendingSignIn:
    """Who began a sign-in, and with which browser log-in."""

    tenant_id: str
    user_id: str
    server: str
    login_id: str | None


@dataclass(frozen=True, slots=True)
class DatabaseFlows:
    """The pending sign-ins; `login_id` is the log-in of the browser that begins one."""

    database: Database
    cipher: Cipher
    login_id: str | None = None

    async def keep(self, flow: PendingFlow) -> None:
        """Store a flow until the user returns."""
        began = datetime.fromtimestamp(flow.created_at, UTC)
        sealed = self.cipher.encrypt(
            dump_tokens(flow), _secret_location(flow.owner.tenant_id, flow.flow_id)
        )

        def work(connection: Connection) -> None:
            _drop_oldest(connection, flow)
            connection.execute(
                insert(table).values(
                    state_hash=flow.flow_id,
                    tenant_id=flow.owner.tenant_id,
                    user_id=flow.owner.user_id,
                    server=flow.server,
                    login_id=self.login_id,
                    pending=sealed,
                    created_at=began,
                    expires_at=began + timedelta(seconds=MCP_SIGN_IN_S),
                )
            )

        await self.database.write(work)

    async def take(self, flow_id: str) -> PendingFlow | None:
        """Return a flow and delete it, so that only one of two requests gets it."""

        def work(connection: Connection) -> tuple[str, str] | None:
            mine = table.c.state_hash == flow_id
            row = connection.execute(select(table.c.tenant_id, table.c.pending).where(mine)).first()
            gone = connection.execute(delete(table).where(mine)).rowcount
            return (row[0], row[1]) if row is not None and gone == 1 else None

        found = await self.database.write(work)
        if found is None:
            return None
        tenant_id, sealed = found
        return load_tokens(
            PendingFlow, self.cipher.decrypt(sealed, _secret_location(tenant_id, flow_id))
        )

    async def find_pending(self, flow_id: str) -> PendingSignIn | None:
        """Return who began a sign-in, without taking it."""
        columns = (table.c.tenant_id, table.c.user_id, table.c.server, table.c.login_id)
        query = select(*columns).where(table.c.state_hash == flow_id)
        row = await self.database.read(lambda c: c.execute(query).first())
        return None if row is None else PendingSignIn(*row)


def remove_expired(connection: Connection, now: datetime) -> None:
    """Delete expired flows."""
    connection.execute(delete(table).where(table.c.expires_at < now))


def _drop_oldest(connection: Connection, flow: PendingFlow) -> None:
    whose = (
        table.c.tenant_id == flow.owner.tenant_id,
        table.c.user_id == flow.owner.user_id,
    )
    newest = select(table.c.state_hash).where(*whose).order_by(table.c.created_at.desc())
    kept = connection.execute(newest).scalars().all()[: SIGN_INS_PER_USER_MAX - 1]
    connection.execute(delete(table).where(*whose, table.c.state_hash.not_in(kept)))


def _secret_location(tenant_id: str, flow_id: str) -> SecretLocation:
    return SecretLocation(tenant_id, "MCP sign-in", flow_id)
