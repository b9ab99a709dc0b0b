"""`dataagent-server keys`: the API keys of anybody."""

import click

from dataagent_server.cli.output import as_json_option, show, tenant_option
from dataagent_server.cli.serve.texts import say
from dataagent_server.identity.auth.principal import SCOPES, Scope

_SHOWN = ("key_id", "name", "prefix", "scopes", "expires_at", "last_used_at", "revoked_at")


@click.group()
def keys() -> None:
    """Create, list and revoke API keys."""


@keys.command()
@click.argument("name")
@click.option("--user", default="local", show_default=True, help="Whose key: user name or id.")
@click.option(
    "--scope", "scopes", multiple=True, type=click.Choice(SCOPES), help="May be repeated."
)
@click.option("--days", type=click.IntRange(1, 3_650), help="Days until it expires.")
@tenant_option
def create(name: str, user: str, scopes: tuple[Scope, ...], days: int | None, tenant: str) -> None:
    """Create a key called NAME and print it, once."""
    from datetime import timedelta

    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.identity.auth.clock import utc_now

    async def work(office: OperatorServices) -> str:
        made = await office.people.keys.create(
            await office.operator(tenant),
            name,
            scopes=scopes or None,
            expires_at=utc_now() + timedelta(days=days) if days else None,
            user_id=await office.user_id(tenant, user),
        )
        return made.secret

    click.echo(run(work))
    click.echo(say("copy_key"), err=True)


@keys.command("list")
@click.option("--user", default="local", show_default=True, help="Whose keys: user name or id.")
@tenant_option
@as_json_option
def list_keys(user: str, tenant: str, *, as_json: bool) -> None:
    """List somebody's keys, without their secrets."""
    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.common.pagination import PAGE_ROWS_MAX, PageRequest
    from dataagent_server.identity.users.user import ApiKey

    async def work(office: OperatorServices) -> list[ApiKey]:
        asker = await office.operator(tenant)
        owner = await office.user_id(tenant, user)
        found: list[ApiKey] = []
        page_request = PageRequest(limit=PAGE_ROWS_MAX)
        while True:
            page = await office.people.keys.list(asker, page_request, user_id=owner)
            found += page.items
            if page.next is None:
                return found
            page_request = PageRequest(page.next, PAGE_ROWS_MAX)

    show([{name: getattr(key, name) for name in _SHOWN} for key in run(work)], as_json=as_json)


@keys.command()
@click.argument("key_id")
@tenant_option
def revoke(key_id: str, tenant: str) -> None:
    """Revoke a key; running servers refuse it within seconds."""
    from dataagent_server.cli.operator_services import OperatorServices, run

    async def work(office: OperatorServices) -> None:
        await office.people.keys.revoke(await office.operator(tenant), key_id.removeprefix("da_"))

    run(work)
    click.echo(say("key_revoked", key=key_id))
