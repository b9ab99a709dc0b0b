"""API keys: whose, what for, how long; on every database."""

from datetime import timedelta

import pytest
from installation import Installation

from dataagent_core.errors import DeniedError, LimitReachedError, NotFoundError, ValidationError
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.common.pagination import PageRequest
from dataagent_server.identity.auth.principal import Principal, operator
from dataagent_server.identity.users import key_service as module


@pytest.mark.every_database
@pytest.mark.requirement("F4-2")
async def test_a_key_gives_no_more_than_its_maker_has(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    narrow = Principal(ann.tenant_id, ann.user_id, "member", frozenset({"admin"}))
    assert (await installation.people.keys.create(narrow, "copy")).key.scopes == ("admin",)
    for weak in (
        Principal(ann.tenant_id, ann.user_id, "member", frozenset({"chat"})),
        Principal(ann.tenant_id, ann.user_id, "member", frozenset({"read"})),
    ):
        with pytest.raises(DeniedError):
            await installation.people.keys.create(weak, "more", scopes=["admin"])


@pytest.mark.every_database
async def test_nobody_makes_a_key_for_somebody_else_but_the_operator(installation: Installation):
    ann, boss = (
        await installation.person(DEFAULT_TENANT, "ann"),
        await installation.person(DEFAULT_TENANT, "boss", "owner"),
    )
    with pytest.raises(DeniedError):
        await installation.people.keys.create(boss, "hers", user_id=ann.user_id)
    made = await installation.people.keys.create(
        operator(DEFAULT_TENANT), "hers", user_id=ann.user_id
    )
    assert (await installation.by_key(made.secret)).user_id == ann.user_id
    with pytest.raises(NotFoundError):
        await installation.people.keys.create(operator(DEFAULT_TENANT), "x", user_id="nobody")


@pytest.mark.every_database
async def test_keys_are_seen_and_revoked_by_their_owner_and_admins(installation: Installation):
    ann, bob = (
        await installation.person(DEFAULT_TENANT, "ann"),
        await installation.person(DEFAULT_TENANT, "bob"),
    )
    admin = await installation.person(DEFAULT_TENANT, "adam", "admin")
    made = await installation.people.keys.create(ann, "laptop")
    for refused in (
        installation.people.keys.get(bob, made.key.key_id),
        installation.people.keys.revoke(bob, made.key.key_id),
    ):
        with pytest.raises(DeniedError):
            await refused
    with pytest.raises(DeniedError):
        await installation.people.keys.list(bob, PageRequest(), user_id=ann.user_id)
    listed = await installation.people.keys.list(admin, PageRequest(), user_id=ann.user_id)
    assert [key.key_id for key in listed.items] == [made.key.key_id]
    await installation.people.keys.revoke(admin, made.key.key_id)
    await installation.people.keys.revoke(admin, made.key.key_id)
    assert (await installation.people.keys.get(ann, made.key.key_id)).revoked_at is not None


@pytest.mark.every_database
async def test_another_tenants_key_is_not_there(installation: Installation):
    one, two = await installation.tenant("one"), await installation.tenant("two")
    ann, eve = (
        await installation.person(one, "ann", "owner"),
        await installation.person(two, "eve", "owner"),
    )
    made = await installation.people.keys.create(ann, "laptop")
    for key_id in (made.key.key_id, "missing"):
        for refused in (
            installation.people.keys.get(eve, key_id),
            installation.people.keys.revoke(eve, key_id),
        ):
            with pytest.raises(NotFoundError, match=f"There is no key '{key_id}'."):
                await refused
    assert (await installation.by_key(made.secret)).user_id == ann.user_id


@pytest.mark.every_database
async def test_there_is_a_limit_of_valid_keys(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "KEYS_PER_USER_MAX", 2)
    ann = await installation.person(DEFAULT_TENANT, "ann")
    first = await installation.people.keys.create(ann, "one")
    await installation.people.keys.create(ann, "two")
    with pytest.raises(LimitReachedError):
        await installation.people.keys.create(ann, "three")
    await installation.people.keys.revoke(ann, first.key.key_id)
    await installation.people.keys.create(ann, "three")


@pytest.mark.every_database
async def test_an_expiry_lies_in_the_future_with_a_zone(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    now = installation.time.now()
    for wrong in (
        now,
        now - timedelta(days=1),
        now + timedelta(days=4_000),
        now.replace(tzinfo=None),
    ):
        with pytest.raises(ValidationError):
            await installation.people.keys.create(ann, "x", expires_at=wrong)
