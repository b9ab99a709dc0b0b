"""Who is in a tenant: limits, last owners, ranks; on every database."""

import asyncio

import pytest
from installation import Installation

from dataagent_core.errors import (
    ConflictError,
    DeniedError,
    LimitReachedError,
    NotFoundError,
    ValidationError,
)
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.common.pagination import PageRequest
from dataagent_server.identity.auth.principal import Principal, operator


@pytest.mark.every_database
async def test_people_added_at_once_do_not_pass_the_limit(installation: Installation):
    tenant = await installation.tenant("acme")
    await installation.people.tenants.change(
        operator(DEFAULT_TENANT), tenant, limits={"max_users": 5}
    )
    tries = await asyncio.gather(
        *(
            installation.people.members.add(operator(tenant), f"user{n}", "member")
            for n in range(12)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, LimitReachedError) for one in tries) == 7
    page = await installation.people.members.list(operator(tenant), PageRequest())
    assert len(page.items) == 5


@pytest.mark.every_database
async def test_two_owners_cannot_remove_each_other(installation: Installation):
    tenant = await installation.tenant("acme")
    ann, bob = [await installation.person(tenant, name, "owner") for name in ("ann", "bob")]
    tries = await asyncio.gather(
        installation.people.members.remove(ann, bob.user_id),
        installation.people.members.remove(bob, ann.user_id),
        return_exceptions=True,
    )
    assert sum(isinstance(one, ConflictError) for one in tries) == 1


@pytest.mark.every_database
async def test_the_last_owner_stays_one(installation: Installation):
    tenant = await installation.tenant("acme")
    ann = await installation.person(tenant, "ann", "owner")
    with pytest.raises(ConflictError):
        await installation.people.members.change_role(ann, ann.user_id, "admin")
    with pytest.raises(ConflictError):
        await installation.people.members.remove(ann, ann.user_id)
    bob = await installation.person(tenant, "bob")
    await installation.people.members.change_role(ann, bob.user_id, "owner")
    assert (
        await installation.people.members.change_role(ann, ann.user_id, "admin")
    ).role == "admin"


@pytest.mark.every_database
async def test_nobody_acts_above_their_rank(installation: Installation):
    tenant = await installation.tenant("acme")
    owner, admin, member = [
        await installation.person(tenant, n, n) for n in ("owner", "admin", "member")
    ]
    change = installation.people.members
    for refused in (
        change.change_role(admin, owner.user_id, "member"),
        change.remove(admin, owner.user_id),
        change.change_role(admin, member.user_id, "owner"),
        change.change_role(admin, admin.user_id, "owner"),
        change.add(admin, "eve", "owner"),
        change.add(member, "eve", "viewer"),
        change.remove(member, admin.user_id),
        installation.people.users.set_password(admin, owner.user_id, "a good password"),
        installation.people.sign_in.sign_in_token(admin, owner.user_id),
    ):
        with pytest.raises(DeniedError):
            await refused
    assert (await change.change_role(admin, member.user_id, "admin")).role == "admin"


@pytest.mark.every_database
async def test_a_user_name_is_taken_whatever_its_capitals_and_only_at_home(
    installation: Installation,
):
    one, two = await installation.tenant("one"), await installation.tenant("two")
    await installation.person(one, "Ann@Acme.example")
    for spelling in ("ann@acme.example", "\uff21\uff2e\uff2e@acme.example"):
        with pytest.raises(ConflictError):
            await installation.person(one, spelling)
    await installation.person(two, "ann@acme.example")


@pytest.mark.every_database
async def test_a_name_that_is_free_again_belongs_to_somebody_new(installation: Installation):
    tenant = await installation.tenant("acme")
    first = await installation.person(tenant, "ann")
    await installation.people.members.remove(operator(tenant), first.user_id)
    second = await installation.person(tenant, "ann")
    assert second.user_id != first.user_id
    with pytest.raises(NotFoundError):
        await installation.people.members.get(operator(tenant), first.user_id)


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "-ann", "a" * 129, "ann\x00", "ann\u202e", "\ud800", "a/b"]
)
async def test_an_odd_user_name_is_refused(installation: Installation, name: str):
    with pytest.raises(ValidationError):
        await installation.person(DEFAULT_TENANT, name)


@pytest.mark.every_database
async def test_somebody_linked_from_elsewhere_is_not_this_tenants_to_administer(
    installation: Installation,
):
    home, guest = await installation.tenant("home"), await installation.tenant("guest")
    ann = await installation.person(home, "ann", "owner", password="correct horse")
    admin = await installation.person(guest, "bob", "owner")
    with pytest.raises(DeniedError):
        await installation.people.members.link(admin, guest, ann.user_id, "member")
    member = await installation.people.members.link(
        operator(DEFAULT_TENANT), guest, ann.user_id, "member"
    )
    assert not member.at_home
    for refused in (
        installation.people.users.set_password(admin, ann.user_id, "another password"),
        installation.people.users.change(admin, ann.user_id, display_name="Mallory"),
        installation.people.sign_in.sign_in_token(admin, ann.user_id),
    ):
        with pytest.raises(DeniedError):
            await refused
    signed_in = await installation.people.sign_in.login(
        "ann", "correct horse", address="a", tenant_id=home
    )
    over = await installation.people.sign_in.switch_tenant(signed_in.principal, guest)
    assert (over.principal.tenant_id, over.principal.role) == (guest, "member")
    with pytest.raises(NotFoundError):
        await installation.people.sign_in.switch_tenant(over.principal, DEFAULT_TENANT)
    await installation.people.members.remove(admin, ann.user_id)
    assert (await installation.people.users.get(ann, ann.user_id)).username == "ann"


@pytest.mark.every_database
async def test_pages_show_everybody_once(installation: Installation):
    tenant = await installation.tenant("acme")
    added = {(await installation.person(tenant, f"user{n}")).user_id for n in range(7)}
    seen: list[str] = []
    after: str | None = None
    while True:
        page = await installation.people.members.list(operator(tenant), PageRequest(after, 3))
        seen += [member.user_id for member in page.items]
        if page.next is None:
            break
        after = page.next
    assert (set(seen), len(seen)) == (added, 7)


@pytest.mark.every_database
async def test_a_viewer_is_told_of_nobody_but_themselves(installation: Installation):
    viewer = await installation.person(DEFAULT_TENANT, "vera", "viewer")
    assert (await installation.people.members.get(viewer, viewer.user_id)).role == "viewer"
    with pytest.raises(DeniedError):
        await installation.people.members.list(
            Principal(viewer.tenant_id, "x", "viewer"), PageRequest()
        )
