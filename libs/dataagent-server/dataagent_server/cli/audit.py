"""`dataagent-server audit`: is the record whole, what does it say, where does it end.

The head printed by `head` is worth keeping on another machine: with it, `verify --expect` also
notices a database that was put back to an older copy of itself.
"""

import json

import click

from dataagent_server.cli.output import tenant_option
from dataagent_server.cli.serve.texts import chosen_messages, say

_BROKEN = 1


@click.group()
def audit() -> None:
    """Check, export and anchor the audit log."""


@audit.command()
@click.option("--tenant", help="Only this tenant; by default all.")
@click.option("--expect", help="With --tenant: SEQ:MAC that `audit head` printed before.")
def verify(tenant: str | None, expect: str | None) -> int:
    """Check every chain; ends with 0 when all are whole and 1 when one is broken."""
    from dataagent_core.errors import NotFoundError
    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.identity.audit import audit_rows

    if expect is not None and tenant is None:
        raise click.UsageError(say("expect_needs_tenant"))

    async def work(office: OperatorServices) -> int:
        known = await office.database.read(audit_rows.chains)
        if tenant is not None and tenant not in known:
            raise NotFoundError(say("no_tenant", tenant=tenant))
        code = 0
        for one in [tenant] if tenant else known:
            broken = await office.database.read(lambda c, t=one: office.people.audit.verify(c, t))
            if broken is None and expect is not None:
                broken = await office.database.read(
                    lambda c, t=one, anchor=expect: office.people.audit.differs(c, t, anchor)
                )
            if broken is not None:
                reason = chosen_messages().translate(broken.reason)
                click.echo(say("chain_broken", tenant=one, row=broken.seq, reason=reason))
                code = _BROKEN
                continue
            last = await office.database.read(lambda c, t=one: audit_rows.last_seq(c, t))
            click.echo(say("chain_whole", tenant=one, rows=last))
        return code

    return run(work)


@audit.command()
@tenant_option
@click.option("--after", type=click.IntRange(0), default=0, help="Only rows behind this number.")
def export(tenant: str, after: int) -> None:
    """Print the rows as JSON, one a line."""
    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.identity.audit import audit_rows
    from dataagent_server.identity.audit.chain import AuditRow

    page_rows = 1_000

    async def work(office: OperatorServices) -> None:
        seq = after
        while True:
            page = await office.database.read(
                lambda c, s=seq: audit_rows.page_of(c, tenant, s, page_rows)
            )
            for row in page:
                click.echo(_json_line(row))
            if not page:
                return
            seq = page[-1].seq

    def _json_line(row: AuditRow) -> str:
        values = {name: getattr(row, name) for name in row.__slots__}
        values |= {"at": row.at.isoformat(), "detail": json.loads(row.detail)}
        return json.dumps(values)

    run(work)


@audit.command()
@click.option("--tenant", help="Only this tenant; by default all.")
def head(tenant: str | None) -> None:
    """Print where each chain ends, as TENANT SEQ:MAC."""
    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.identity.audit import audit_rows

    async def work(office: OperatorServices) -> None:
        for one in [tenant] if tenant else await office.database.read(audit_rows.chains):
            found = await office.database.read(lambda c, t=one: audit_rows.find_head(c, t))
            click.echo(f"{one} {found.seq}:{found.mac}" if found else f"{one} -")

    run(work)
