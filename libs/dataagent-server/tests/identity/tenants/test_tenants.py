"""Tenants: made by who runs the installation, limited by them, seen by their own."""

import asyncio

import pytest
from installation import Installation

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_server.common.ids import DEFAULT_ADMIN, DEFAULT_TENANT
from dataagent_server.common.pagination import PageRequest
from dataagent_server.identity.auth.principal import Principal, operator
from dataagent_server.identity.tenants.bootstrap import ensure_default_tenant
from dataagent_server.identity.tenants.tenant import TenantLimits

ROOT = Principal(DEFAULT_TENANT, DEFAULT_ADMIN, "owner")


@pytest.mark.every_database
async def test_the_default_tenant_is_made_once_with_s0s_limits(installation: Installation):
    tenant = await installation.people.tenants.get(ROOT, DEFAULT_TENANT)
    limits = tenant.limits
    assert (limits.max_users, limits.max_sessions_per_user, limits.max_mcp_servers) == (100, 10, 5)
    assert (limits.workspace_quota_bytes, limits.features_enabled) == (1024**3, {})
    made = await asyncio.gather(
        *(
            installation.database.write(
                lambda c: ensure_default_tenant(
                    c, installation.people.audit, installation.time.now(), TenantLimits()
                )
            )
            for _ in range(3)
        )
    )
    assert made == [False] * 3


@pytest.mark.every_database
async def test_only_who_owns_the_default_tenant_makes_tenants(installation: Installation):
    acme = await installation.tenant("acme")
    boss = await installation.person(acme, "boss", "owner")
    admin = await installation.person(DEFAULT_TENANT, "admin2", "admin")
    narrow = Principal(DEFAULT_TENANT, DEFAULT_ADMIN, "owner", frozenset({"chat"}))
    for other in (boss, admin, narrow):
        with pytest.raises(DeniedError):
            await installation.people.tenants.create(other, "Mine")
    assert (await installation.people.tenants.create(ROOT, "Mine")).version == 1


@pytest.mark.every_database
async def test_a_taken_id_is_a_conflict_and_an_odd_one_refused(installation: Installation):
    await installation.tenant("acme")
    with pytest.raises(ConflictError):
        await installation.tenant("acme")
    for odd in ("a/b", "..", "x" * 65, "ä"):
        with pytest.raises(ValidationError):
            await installation.people.tenants.create(ROOT, "x", tenant_id=odd)


@pytest.mark.every_database
async def test_an_owner_renames_but_does_not_lift_the_limits(installation: Installation):
    acme = await installation.tenant("acme")
    boss = await installation.person(acme, "boss", "owner")
    assert (
        await installation.people.tenants.change(boss, acme, name="Acme GmbH")
    ).name == "Acme GmbH"
    for refused in (
        installation.people.tenants.change(boss, acme, limits={"max_users": 10_000}),
        installation.people.tenants.change(boss, acme, is_active=False),
    ):
        with pytest.raises(DeniedError):
            await refused


@pytest.mark.every_database
async def test_another_tenant_is_not_there(installation: Installation):
    acme, other = await installation.tenant("acme"), await installation.tenant("other")
    boss = await installation.person(acme, "boss", "owner")
    for missing in (other, "nowhere", DEFAULT_TENANT):
        for refused in (
            installation.people.tenants.get(boss, missing),
            installation.people.tenants.change(boss, missing, name="x"),
        ):
            with pytest.raises(NotFoundError) as refusal:
                await refused
            assert str(refusal.value) == f"There is no tenant {missing!r}."
    assert [
        t.tenant_id for t in (await installation.people.tenants.list(boss, PageRequest())).items
    ] == [acme]
    everywhere = await installation.people.tenants.list(ROOT, PageRequest())
    assert {t.tenant_id for t in everywhere.items} == {acme, other, DEFAULT_TENANT}


@pytest.mark.every_database
async def test_a_change_somebody_has_not_seen_is_not_overwritten(installation: Installation):
    acme = await installation.tenant("acme")
    seen = await installation.people.tenants.get(ROOT, acme)
    tries = await asyncio.gather(
        *(
            installation.people.tenants.change(ROOT, acme, name=f"n{n}", version=seen.version)
            for n in range(4)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, ConflictError) for one in tries) == 3


@pytest.mark.every_database
async def test_the_default_tenant_cannot_be_suspended(installation: Installation):
    with pytest.raises(ConflictError):
        await installation.people.tenants.change(
            operator(DEFAULT_TENANT), DEFAULT_TENANT, is_active=False
        )


@pytest.mark.parametrize(
    "limits", [{"max_users": -1}, {"workspace_quota_bytes": 1 << 60}, {"max_mcp_servers": 10**9}]
)
def test_impossible_limits_are_refused(limits: dict[str, int]):
    with pytest.raises(ValidationError):
        TenantLimits(**limits)  # pyright: ignore[reportArgumentType]
