"""`dataagent-server users`: people, their roles and how they get in."""

import sys

import click
from click.termui import prompt

from dataagent_server.cli.output import as_json_option, show, tenant_option
from dataagent_server.cli.serve.texts import say
from dataagent_server.identity.auth.principal import ROLES, Role

_SHOWN = ("user_id", "username", "display_name", "role", "has_password", "created_at")
_role_option = click.option(
    "--role",
    type=click.Choice(ROLES),
    default="member",
    show_default=True,
    help="Role in the tenant.",
)


@click.group()
def users() -> None:
    """Add, list and remove people; make sign-in URLs."""


@users.command()
@click.argument("username")
@_role_option
@click.option("--name", help="The name others see.")
@click.option("--password-stdin", is_flag=True, help="Read a password from standard input.")
@tenant_option
def add(username: str, role: Role, name: str | None, tenant: str, *, password_stdin: bool) -> None:
    """Add a person called USERNAME to a tenant and print their id."""
    from dataagent_server.cli.operator_services import OperatorServices, run

    password = _read_password() if password_stdin else None

    async def work(office: OperatorServices) -> str:
        member = await office.people.members.add(
            await office.operator(tenant), username, role, display_name=name, password=password
        )
        return member.user_id

    click.echo(run(work))


@users.command("list")
@tenant_option
@as_json_option
def list_users(tenant: str, *, as_json: bool) -> None:
    """List the people of a tenant."""
    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.common.pagination import PAGE_ROWS_MAX, PageRequest
    from dataagent_server.identity.tenants.tenant import Member

    async def work(office: OperatorServices) -> list[Member]:
        asker = await office.operator(tenant)
        found: list[Member] = []
        page_request = PageRequest(limit=PAGE_ROWS_MAX)
        while True:
            page = await office.people.members.list(asker, page_request)
            found += page.items
            if page.next is None:
                return found
            page_request = PageRequest(page.next, PAGE_ROWS_MAX)

    rows = [{name: getattr(one, name) for name in _SHOWN} for one in run(work)]
    show(rows, as_json=as_json)


@users.command()
@click.argument("user")
@click.argument("role", type=click.Choice(ROLES))
@tenant_option
def role(user: str, role: Role, tenant: str) -> None:
    """Give USER (name or id) another ROLE."""
    from dataagent_server.cli.operator_services import OperatorServices, run

    async def work(office: OperatorServices) -> None:
        user_id = await office.user_id(tenant, user)
        await office.people.members.change_role(await office.operator(tenant), user_id, role)

    run(work)
    click.echo(say("role_given", user=user, role=role))


@users.command()
@click.argument("user")
@tenant_option
def remove(user: str, tenant: str) -> None:
    """Take USER (name or id) out of a tenant; keys and log-ins stop."""
    from dataagent_server.cli.operator_services import OperatorServices, run

    async def work(office: OperatorServices) -> None:
        user_id = await office.user_id(tenant, user)
        await office.people.members.remove(await office.operator(tenant), user_id)

    run(work)
    click.echo(say("user_removed", user=user))


@users.command()
@click.argument("user_id")
@_role_option
@tenant_option
def link(user_id: str, role: Role, tenant: str) -> None:
    """Take a person of another tenant, by id, into this tenant as well."""
    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.common.ids import DEFAULT_TENANT
    from dataagent_server.identity.auth.principal import operator

    async def work(office: OperatorServices) -> None:
        await office.people.members.link(operator(DEFAULT_TENANT), tenant, user_id, role)

    run(work)
    click.echo(say("user_taken_in", user=user_id, role=role, tenant=tenant))


@users.command()
@click.argument("user", default="local")
@click.option("--password-stdin", is_flag=True, help="Read it from standard input, not a prompt.")
@tenant_option
def password(user: str, tenant: str, *, password_stdin: bool) -> None:
    """Set the password of USER (name or id), and sign them out everywhere."""
    from dataagent_server.cli.operator_services import OperatorServices, run

    new = _read_password() if password_stdin else _prompt_password()

    async def work(office: OperatorServices) -> None:
        user_id = await office.user_id(tenant, user)
        await office.people.users.set_password(await office.operator(tenant), user_id, new)

    run(work)
    click.echo(say("password_set", user=user))


@users.command("sign-in-url")
@click.argument("user", default="local")
@click.option("--url", help="Where the server is; by default its public_url or host and port.")
@tenant_option
def sign_in_url(user: str, url: str | None, tenant: str) -> None:
    """Print a URL that signs USER (name or id) in, once."""
    from urllib.parse import quote

    from dataagent_server.cli.operator_services import OperatorServices, run
    from dataagent_server.cli.serve.prepare import SIGN_IN_PATH
    from dataagent_server.identity.auth.limits import SIGN_IN_URL_S

    async def work(office: OperatorServices) -> str:
        user_id = await office.user_id(tenant, user)
        token = await office.people.sign_in.sign_in_token(await office.operator(tenant), user_id)
        settings = office.settings
        base = url or settings.public_url or f"http://{settings.host}:{settings.port}"
        return f"{base.rstrip('/')}{SIGN_IN_PATH}?token={quote(token)}"

    click.echo(run(work))
    click.echo(say("works_once", minutes=f"{SIGN_IN_URL_S / 60:.0f}"), err=True)


def _read_password() -> str:
    return sys.stdin.readline().rstrip("\r\n")


def _prompt_password() -> str:
    """Ask twice, in the user's language, which click's own second prompt is not."""
    while True:
        first, second = (
            str(prompt(say(key), prompt_suffix="", hide_input=True, err=True))
            for key in ("password_new", "password_again")
        )
        if first == second:
            return first
        click.echo(say("passwords_differ"), err=True)
