"""API keys: whose, what for, how long; on every database."""

from datetime import timedelta

import pytest
from house import House

from dataagent_core.errors import DeniedError, LimitReachedError, NotFoundError, ValidationError
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.common.pagination import PageRequest
from dataagent_server.identity.auth.principal import Principal, operator
from dataagent_server.identity.users import keys as module


@pytest.mark.every_database
@pytest.mark.requirement("F4-2")
async def test_a_key_gives_no_more_than_its_maker_has(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    narrow = Principal(ann.tenant_id, ann.user_id, "member", frozenset({"admin"}))
    assert (await house.people.keys.create(narrow, "copy")).key.scopes == ("admin",)
    for weak in (
        Principal(ann.tenant_id, ann.user_id, "member", frozenset({"chat"})),
        Principal(ann.tenant_id, ann.user_id, "member", frozenset({"read"})),
    ):
        with pytest.raises(DeniedError):
            await house.people.keys.create(weak, "more", scopes=["admin"])


@pytest.mark.every_database
async def test_nobody_makes_a_key_for_somebody_else_but_the_operator(house: House):
    ann, boss = (
        await house.person(DEFAULT_TENANT, "ann"),
        await house.person(DEFAULT_TENANT, "boss", "owner"),
    )
    with pytest.raises(DeniedError):
        await house.people.keys.create(boss, "hers", user_id=ann.user_id)
    made = await house.people.keys.create(operator(DEFAULT_TENANT), "hers", user_id=ann.user_id)
    assert (await house.by_key(made.secret)).user_id == ann.user_id
    with pytest.raises(NotFoundError):
        await house.people.keys.create(operator(DEFAULT_TENANT), "x", user_id="nobody")


@pytest.mark.every_database
async def test_keys_are_seen_and_revoked_by_their_owner_and_admins(house: House):
    ann, bob = await house.person(DEFAULT_TENANT, "ann"), await house.person(DEFAULT_TENANT, "bob")
    admin = await house.person(DEFAULT_TENANT, "adam", "admin")
    made = await house.people.keys.create(ann, "laptop")
    for refused in (
        house.people.keys.get(bob, made.key.key_id),
        house.people.keys.revoke(bob, made.key.key_id),
    ):
        with pytest.raises(DeniedError):
            await refused
    with pytest.raises(DeniedError):
        await house.people.keys.list(bob, PageRequest(), user_id=ann.user_id)
    listed = await house.people.keys.list(admin, PageRequest(), user_id=ann.user_id)
    assert [key.key_id for key in listed.items] == [made.key.key_id]
    await house.people.keys.revoke(admin, made.key.key_id)
    await house.people.keys.revoke(admin, made.key.key_id)
    assert (await house.people.keys.get(ann, made.key.key_id)).revoked_at is not None


@pytest.mark.every_database
async def test_another_tenants_key_is_not_there(house: House):
    one, two = await house.tenant("one"), await house.tenant("two")
    ann, eve = await house.person(one, "ann", "owner"), await house.person(two, "eve", "owner")
    made = await house.people.keys.create(ann, "laptop")
    for key_id in (made.key.key_id, "missing"):
        for refused in (house.people.keys.get(eve, key_id), house.people.keys.revoke(eve, key_id)):
            with pytest.raises(NotFoundError, match=f"There is no key '{key_id}'."):
                await refused
    assert (await house.by_key(made.secret)).user_id == ann.user_id


@pytest.mark.every_database
async def test_there_is_a_limit_of_valid_keys(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "KEYS_PER_USER_MAX", 2)
    ann = await house.person(DEFAULT_TENANT, "ann")
    first = await house.people.keys.create(ann, "one")
    await house.people.keys.create(ann, "two")
    with pytest.raises(LimitReachedError):
        await house.people.keys.create(ann, "three")
    await house.people.keys.revoke(ann, first.key.key_id)
    await house.people.keys.create(ann, "three")


@pytest.mark.every_database
async def test_an_expiry_lies_in_the_future_with_a_zone(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    now = house.time.now()
    for wrong in (
        now,
        now - timedelta(days=1),
        now + timedelta(days=4_000),
        now.replace(tzinfo=None),
    ):
        with pytest.raises(ValidationError):
            await house.people.keys.create(ann, "x", expires_at=wrong)
