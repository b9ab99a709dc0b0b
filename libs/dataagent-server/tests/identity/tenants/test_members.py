"""Who is in a tenant: limits, last owners, ranks; on every database."""

import asyncio

import pytest
from house import House

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
async def test_people_added_at_once_do_not_pass_the_limit(house: House):
    tenant = await house.tenant("acme")
    await house.people.tenants.change(operator(DEFAULT_TENANT), tenant, limits={"max_users": 5})
    tries = await asyncio.gather(
        *(house.people.members.add(operator(tenant), f"user{n}", "member") for n in range(12)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, LimitReachedError) for one in tries) == 7
    page = await house.people.members.list(operator(tenant), PageRequest())
    assert len(page.items) == 5


@pytest.mark.every_database
async def test_two_owners_cannot_remove_each_other(house: House):
    tenant = await house.tenant("acme")
    ann, bob = [await house.person(tenant, name, "owner") for name in ("ann", "bob")]
    tries = await asyncio.gather(
        house.people.members.remove(ann, bob.user_id),
        house.people.members.remove(bob, ann.user_id),
        return_exceptions=True,
    )
    assert sum(isinstance(one, ConflictError) for one in tries) == 1


@pytest.mark.every_database
async def test_the_last_owner_stays_one(house: House):
    tenant = await house.tenant("acme")
    ann = await house.person(tenant, "ann", "owner")
    with pytest.raises(ConflictError):
        await house.people.members.change_role(ann, ann.user_id, "admin")
    with pytest.raises(ConflictError):
        await house.people.members.remove(ann, ann.user_id)
    bob = await house.person(tenant, "bob")
    await house.people.members.change_role(ann, bob.user_id, "owner")
    assert (await house.people.members.change_role(ann, ann.user_id, "admin")).role == "admin"


@pytest.mark.every_database
async def test_nobody_acts_above_their_rank(house: House):
    tenant = await house.tenant("acme")
    owner, admin, member = [await house.person(tenant, n, n) for n in ("owner", "admin", "member")]
    change = house.people.members
    for refused in (
        change.change_role(admin, owner.user_id, "member"),
        change.remove(admin, owner.user_id),
        change.change_role(admin, member.user_id, "owner"),
        change.change_role(admin, admin.user_id, "owner"),
        change.add(admin, "eve", "owner"),
        change.add(member, "eve", "viewer"),
        change.remove(member, admin.user_id),
        house.people.users.set_password(admin, owner.user_id, "a good password"),
        house.people.sign_in.sign_in_token(admin, owner.user_id),
    ):
        with pytest.raises(DeniedError):
            await refused
    assert (await change.change_role(admin, member.user_id, "admin")).role == "admin"


@pytest.mark.every_database
async def test_a_user_name_is_taken_whatever_its_capitals_and_only_at_home(house: House):
    one, two = await house.tenant("one"), await house.tenant("two")
    await house.person(one, "Ann@Acme.example")
    for spelling in ("ann@acme.example", "\uff21\uff2e\uff2e@acme.example"):
        with pytest.raises(ConflictError):
            await house.person(one, spelling)
    await house.person(two, "ann@acme.example")


@pytest.mark.every_database
async def test_a_name_that_is_free_again_belongs_to_somebody_new(house: House):
    tenant = await house.tenant("acme")
    first = await house.person(tenant, "ann")
    await house.people.members.remove(operator(tenant), first.user_id)
    second = await house.person(tenant, "ann")
    assert second.user_id != first.user_id
    with pytest.raises(NotFoundError):
        await house.people.members.get(operator(tenant), first.user_id)


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "-ann", "a" * 129, "ann\x00", "ann\u202e", "\ud800", "a/b"]
)
async def test_an_odd_user_name_is_refused(house: House, name: str):
    with pytest.raises(ValidationError):
        await house.person(DEFAULT_TENANT, name)


@pytest.mark.every_database
async def test_somebody_linked_from_elsewhere_is_not_this_tenants_to_administer(house: House):
    home, guest = await house.tenant("home"), await house.tenant("guest")
    ann = await house.person(home, "ann", "owner", password="correct horse")
    admin = await house.person(guest, "bob", "owner")
    with pytest.raises(DeniedError):
        await house.people.members.link(admin, guest, ann.user_id, "member")
    member = await house.people.members.link(operator(DEFAULT_TENANT), guest, ann.user_id, "member")
    assert not member.at_home
    for refused in (
        house.people.users.set_password(admin, ann.user_id, "another password"),
        house.people.users.rename(admin, ann.user_id, "Mallory"),
        house.people.sign_in.sign_in_token(admin, ann.user_id),
    ):
        with pytest.raises(DeniedError):
            await refused
    signed_in = await house.people.sign_in.login(
        "ann", "correct horse", address="a", tenant_id=home
    )
    over = await house.people.sign_in.switch_tenant(signed_in.principal, guest)
    assert (over.principal.tenant_id, over.principal.role) == (guest, "member")
    with pytest.raises(NotFoundError):
        await house.people.sign_in.switch_tenant(over.principal, DEFAULT_TENANT)
    await house.people.members.remove(admin, ann.user_id)
    assert (await house.people.users.get(ann, ann.user_id)).username == "ann"


@pytest.mark.every_database
async def test_pages_show_everybody_once(house: House):
    tenant = await house.tenant("acme")
    added = {(await house.person(tenant, f"user{n}")).user_id for n in range(7)}
    seen: list[str] = []
    after: str | None = None
    while True:
        page = await house.people.members.list(operator(tenant), PageRequest(after, 3))
        seen += [member.user_id for member in page.items]
        if page.next is None:
            break
        after = page.next
    assert (set(seen), len(seen)) == (added, 7)


@pytest.mark.every_database
async def test_a_viewer_is_told_of_nobody_but_themselves(house: House):
    viewer = await house.person(DEFAULT_TENANT, "vera", "viewer")
    assert (await house.people.members.get(viewer, viewer.user_id)).role == "viewer"
    with pytest.raises(DeniedError):
        await house.people.members.list(Principal(viewer.tenant_id, "x", "viewer"), PageRequest())
