"""`dataagent-server tenants`: organisations on this installation."""

import click

from dataagent_server.cli.output import as_json_option, show
from dataagent_server.cli.serve.texts import say


@click.group()
def tenants() -> None:
    """Create, list, suspend and resume tenants."""


@tenants.command()
@click.argument("name")
@click.option("--id", "tenant_id", help="An id of your own choice.")
@click.option(
    "--max-users",
    type=click.IntRange(0, 1_000_000),
    default=100,
    show_default=True,
    help="How many people it may have.",
)
def create(name: str, tenant_id: str | None, max_users: int) -> None:
    """Create a tenant called NAME and print its id; add people with `users add --tenant`."""
    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.common.ids import DEFAULT_TENANT
    from dataagent_server.identity.auth.principal import operator
    from dataagent_server.identity.tenants.tenant import TenantLimits

    async def work(office: OperatorServices) -> str:
        limits = TenantLimits(max_users=max_users)
        made = await office.people.tenants.create(
            operator(DEFAULT_TENANT), name, tenant_id=tenant_id, limits=limits
        )
        return made.tenant_id

    click.echo(run(work))


@tenants.command("list")
@as_json_option
def list_tenants(*, as_json: bool) -> None:
    """List every tenant."""
    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.common.ids import DEFAULT_TENANT
    from dataagent_server.common.pagination import PAGE_ROWS_MAX, PageRequest
    from dataagent_server.identity.auth.principal import operator
    from dataagent_server.identity.tenants.tenant import Tenant

    async def work(office: OperatorServices) -> list[Tenant]:
        found: list[Tenant] = []
        page_request = PageRequest(limit=PAGE_ROWS_MAX)
        while True:
            page = await office.people.tenants.list(operator(DEFAULT_TENANT), page_request)
            found += page.items
            if page.next is None:
                return found
            page_request = PageRequest(page.next, PAGE_ROWS_MAX)

    rows = [
        {
            "tenant_id": one.tenant_id,
            "name": one.name,
            "active": one.is_active,
            "max_users": one.limits.max_users,
            "created_at": one.created_at,
        }
        for one in run(work)
    ]
    show(rows, as_json=as_json)


@tenants.command()
@click.argument("tenant_id")
def suspend(tenant_id: str) -> None:
    """Let nobody of a tenant in any more; nothing is deleted."""
    _set_active(tenant_id, active=False)
    click.echo(say("tenant_suspended", tenant=tenant_id))


@tenants.command()
@click.argument("tenant_id")
def resume(tenant_id: str) -> None:
    """Let a suspended tenant's people in again."""
    _set_active(tenant_id, active=True)
    click.echo(say("tenant_active", tenant=tenant_id))


def _set_active(tenant_id: str, *, active: bool) -> None:
    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.common.ids import DEFAULT_TENANT
    from dataagent_server.identity.auth.principal import operator

    async def work(office: OperatorServices) -> None:
        await office.people.tenants.change(operator(DEFAULT_TENANT), tenant_id, is_active=active)

    run(work)
