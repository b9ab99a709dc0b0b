"""Tenants: made by who runs the installation, limited by them, seen by their own."""

import asyncio

import pytest
from house import House

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_server.common.ids import DEFAULT_ADMIN, DEFAULT_TENANT
from dataagent_server.common.pagination import PageRequest
from dataagent_server.identity.auth.principal import Principal, operator
from dataagent_server.identity.tenants.bootstrap import ensure_default_tenant
from dataagent_server.identity.tenants.model import TenantLimits

ROOT = Principal(DEFAULT_TENANT, DEFAULT_ADMIN, "owner")


@pytest.mark.every_database
async def test_the_default_tenant_is_made_once_with_s0s_limits(house: House):
    tenant = await house.people.tenants.get(ROOT, DEFAULT_TENANT)
    limits = tenant.limits
    assert (limits.max_users, limits.max_sessions_per_user, limits.max_mcp_servers) == (100, 10, 5)
    assert (limits.workspace_quota_bytes, limits.features_enabled) == (1024**3, {})
    made = await asyncio.gather(
        *(
            house.database.write(
                lambda c: ensure_default_tenant(
                    c, house.people.audit, house.time.now(), TenantLimits()
                )
            )
            for _ in range(3)
        )
    )
    assert made == [False] * 3


@pytest.mark.every_database
async def test_only_who_owns_the_default_tenant_makes_tenants(house: House):
    acme = await house.tenant("acme")
    boss = await house.person(acme, "boss", "owner")
    admin = await house.person(DEFAULT_TENANT, "admin2", "admin")
    narrow = Principal(DEFAULT_TENANT, DEFAULT_ADMIN, "owner", frozenset({"chat"}))
    for other in (boss, admin, narrow):
        with pytest.raises(DeniedError):
            await house.people.tenants.create(other, "Mine")
    assert (await house.people.tenants.create(ROOT, "Mine")).version == 1


@pytest.mark.every_database
async def test_a_taken_id_is_a_conflict_and_an_odd_one_refused(house: House):
    await house.tenant("acme")
    with pytest.raises(ConflictError):
        await house.tenant("acme")
    for odd in ("a/b", "..", "x" * 65, "ä"):
        with pytest.raises(ValidationError):
            await house.people.tenants.create(ROOT, "x", tenant_id=odd)


@pytest.mark.every_database
async def test_an_owner_renames_but_does_not_lift_the_limits(house: House):
    acme = await house.tenant("acme")
    boss = await house.person(acme, "boss", "owner")
    assert (await house.people.tenants.change(boss, acme, name="Acme GmbH")).name == "Acme GmbH"
    for refused in (
        house.people.tenants.change(boss, acme, limits={"max_users": 10_000}),
        house.people.tenants.change(boss, acme, is_active=False),
    ):
        with pytest.raises(DeniedError):
            await refused


@pytest.mark.every_database
async def test_another_tenant_is_not_there(house: House):
    acme, other = await house.tenant("acme"), await house.tenant("other")
    boss = await house.person(acme, "boss", "owner")
    for missing in (other, "nowhere", DEFAULT_TENANT):
        for refused in (
            house.people.tenants.get(boss, missing),
            house.people.tenants.change(boss, missing, name="x"),
        ):
            with pytest.raises(NotFoundError) as refusal:
                await refused
            assert str(refusal.value) == f"There is no tenant {missing!r}."
    assert [t.tenant_id for t in (await house.people.tenants.list(boss, PageRequest())).items] == [
        acme
    ]
    everywhere = await house.people.tenants.list(ROOT, PageRequest())
    assert {t.tenant_id for t in everywhere.items} == {acme, other, DEFAULT_TENANT}


@pytest.mark.every_database
async def test_a_change_somebody_has_not_seen_is_not_overwritten(house: House):
    acme = await house.tenant("acme")
    seen = await house.people.tenants.get(ROOT, acme)
    tries = await asyncio.gather(
        *(
            house.people.tenants.change(ROOT, acme, name=f"n{n}", version=seen.version)
            for n in range(4)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, ConflictError) for one in tries) == 3


@pytest.mark.every_database
async def test_the_default_tenant_cannot_be_suspended(house: House):
    with pytest.raises(ConflictError):
        await house.people.tenants.change(operator(DEFAULT_TENANT), DEFAULT_TENANT, is_active=False)


@pytest.mark.parametrize(
    "limits", [{"max_users": -1}, {"workspace_quota_bytes": 1 << 60}, {"max_mcp_servers": 10**9}]
)
def test_impossible_limits_are_refused(limits: dict[str, int]):
    with pytest.raises(ValidationError):
        TenantLimits(**limits)  # pyright: ignore[reportArgumentType]
