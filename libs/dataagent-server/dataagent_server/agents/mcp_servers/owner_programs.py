"""Programs of the only user of an installation, who is asked once about each.

The only user of a server may start programs, as on the command line: after one approval, and in the
sandbox. The approval is bound to the program with its arguments, folders, network and variables,
and counts only while there is no second user: then the tenant's policy alone decides.
"""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from sqlalchemy import Connection

from dataagent_core.errors import DeniedError, MCPServerError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.programs import program_digest, program_line
from dataagent_core.mcp.transports.program.command import check_allowed, find_program
from dataagent_server.agents.mcp_servers.limits import POLICY_ENTRIES_MAX
from dataagent_server.agents.mcp_servers.mcp_policy import why_not_started
from dataagent_server.agents.mcp_servers.policy_service import ProgramRules, rules_of, store_policy
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth.clock import Clock, utc_now

# What lets a program start: the tenant's policy, the owner's approval, or the approval is missing.
Leave = Literal["policy", "owner", "ask"]
_LINE_SHOWN_CHARS: Final = 160
_DIGEST_CHARS: Final = 32


def make_mark(config: MCPServerConfig) -> str:
    """Write an approval: the command line for a person to read, and a digest of what it covers."""
    line = "".join(char if char.isprintable() else "?" for char in program_line(config))
    return f"{line[:_LINE_SHOWN_CHARS]} #{program_digest(config)[:_DIGEST_CHARS]}"


def leave_of(config: MCPServerConfig, rules: ProgramRules, user_id: str) -> Leave:
    """Return what a program needs to start for a user. Blocks: it looks for the program."""
    if rules.sole_owner != user_id or rules.programs_off:
        return "policy"
    if make_mark(config) in rules.policy.programs:
        return "owner"
    return "policy" if _is_allowed(config, rules) else "ask"


def _add_mark(programs: Sequence[str], mark: str) -> tuple[str, ...]:
    """Add an approval; the oldest is dropped, and its program is asked about again."""
    others = (one for one in programs if one != mark)
    return (*others, mark)[-POLICY_ENTRIES_MAX:]


def _is_allowed(config: MCPServerConfig, rules: ProgramRules) -> bool:
    if why_not_started(config, rules.policy) is not None:
        return False
    try:
        check_allowed(config, find_program(config, os.environ), rules.policy.commands, os.environ)
    except MCPServerError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class OwnerPrograms:
    """Core's `Programs`, kept with the tenant's policy."""

    database: Database
    audit: AuditTrail
    clock: Clock = utc_now

    async def to_ask(self, owner: Owner, config: MCPConfig) -> Sequence[MCPServerConfig]:
        """List the programs that start only after an approval."""
        programs = [s for s in config.servers if s.transport == "stdio" and not s.disabled]
        if not programs:
            return []
        rules = await self.database.read(lambda c: rules_of(c, TenantId(owner.tenant_id)))

        def waiting() -> list[MCPServerConfig]:
            return [one for one in programs if leave_of(one, rules, owner.user_id) == "ask"]

        return await asyncio.to_thread(waiting)

    async def allow(
        self, owner: Owner, config: MCPServerConfig, *, actor: str | None = None
    ) -> None:
        """Store the approval of the only user; `actor` is the name in the audit log."""
        tenant_id = TenantId(owner.tenant_id)
        by = actor or f"user:{owner.user_id}"

        def work(connection: Connection) -> None:
            rules = rules_of(connection, tenant_id, lock=True)
            if rules.sole_owner != owner.user_id:
                raise DeniedError(
                    "You are no longer alone on this server: an admin allows programs in "
                    "`commands` of /api/v1/mcp/policy."
                )
            programs = _add_mark(rules.policy.programs, make_mark(config))
            new = replace(rules.policy, programs=programs)
            store_policy(connection, self.audit, tenant_id, by, rules.policy, new, self.clock())

        await self.database.write(work)
