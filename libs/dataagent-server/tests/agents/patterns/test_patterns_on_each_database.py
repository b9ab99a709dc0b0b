"""Lists, changes and offers of patterns on each database."""

import asyncio
from datetime import timedelta

import pytest
from installation import Installation

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError
from dataagent_core.patterns import PatternStep, PatternTerms
from dataagent_server.agents.patterns.pattern_record import NewPattern, PatternChange
from dataagent_server.agents.patterns.pattern_service import PatternService
from dataagent_server.agents.patterns.pattern_shares import PatternSharing
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest
from dataagent_server.identity.auth.principal import Principal

pytestmark = pytest.mark.every_database

PAGE = PageRequest(None, 10)
AT_ONCE = 12


@pytest.fixture
def service(installation: Installation) -> PatternService:
    return PatternService(
        installation.database, installation.people.audit, PatternTerms(), installation.time.now
    )


@pytest.fixture
def sharing(installation: Installation, service: PatternService) -> PatternSharing:
    return PatternSharing(
        installation.database, installation.people.audit, service, installation.time.now
    )


def admin(tenant_id: str) -> Principal:
    return Principal(TenantId(tenant_id), f"boss-{tenant_id}", "admin")


def new(word: str = "sales") -> NewPattern:
    return NewPattern(
        name=f"Sum up 汇总 {word}", goal=f"sum up the {word}", steps=[PatternStep(tools=("ls",))]
    )


async def test_a_list_has_every_pattern_once_in_pages(
    installation: Installation, service: PatternService
):
    await installation.tenant("ours")
    await installation.tenant("theirs")
    words = ("sales", "costs", "profits", "hens", "goats")
    for word in words:
        await service.create(admin("ours"), new(word))
    await service.create(admin("theirs"), new("foxes"))
    found: list[str] = []
    request = PageRequest(None, 2)
    while True:
        page = await service.list(admin("ours"), request)
        found += [one.name.split()[-1] for one in page.items]
        if page.next is None:
            break
        request = PageRequest(page.next, 2)
    assert sorted(found) == sorted(words)
    member = Principal(TenantId("ours"), "ann", "member")
    assert (await service.list(member, PAGE)).items == []
    with pytest.raises(DeniedError):
        await service.create(member, new("cats"))


async def test_of_many_changes_at_once_one_is_made_and_each_is_audited_once(
    installation: Installation, service: PatternService
):
    await installation.tenant("ours")
    boss = admin("ours")
    made = await service.create(boss, new())
    installation.time.pass_s(timedelta(days=1).total_seconds())
    told = await asyncio.gather(
        *(
            service.change(boss, made.id, PatternChange(version=1, name=f"N{number}"))
            for number in range(AT_ONCE)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, ConflictError) for one in told) == AT_ONCE - 1
    now = await service.get(boss, made.id)
    assert (now.version, now.updated_at) == (2, installation.time.now())
    gone = await asyncio.gather(
        *(service.delete(boss, made.id, is_useless=True) for _ in range(AT_ONCE)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, NotFoundError) for one in gone) == AT_ONCE - 1


async def test_an_offer_is_accepted_once_and_of_two_for_one_task_one(
    installation: Installation, service: PatternService, sharing: PatternSharing
):
    for name in ("ours", "others", "theirs"):
        await installation.tenant(name)
    offers = [
        await sharing.offer(
            admin(name), (await service.create(admin(name), new())).id, TenantId("theirs")
        )
        for name in ("ours", "others")
    ]
    listed = await sharing.list_open(admin("theirs"), PAGE)
    assert {one.tenant_id for one in listed.items} == {"ours", "others"}
    told = await asyncio.gather(
        *(sharing.accept(admin("theirs"), one.id) for one in offers for _ in range(AT_ONCE // 2)),
        return_exceptions=True,
    )
    refused = [one for one in told if isinstance(one, Exception)]
    assert len(refused) == AT_ONCE - 1
    assert all(isinstance(one, ConflictError | NotFoundError) for one in refused), refused
    (copy,) = (await service.list(admin("theirs"), PAGE)).items
    assert (copy.name, copy.version, copy.state) == (new().name, 1, "draft")
    assert len((await sharing.list_open(admin("theirs"), PAGE)).items) == 1
    mine = (await sharing.list_made(admin("ours"), PAGE)).items
    beside = (await sharing.list_made(admin("others"), PAGE)).items
    assert sorted(one.status for one in (*mine, *beside)) == ["accepted", "open"]


async def test_tenants_accept_from_each_other_at_once(
    installation: Installation, service: PatternService, sharing: PatternSharing
):
    pairs = (("ours", "theirs", "sales"), ("theirs", "ours", "costs"))
    for name, _, _ in pairs:
        await installation.tenant(name)
    offers = [
        (to, await sharing.offer(admin(name), made.id, TenantId(to)))
        for name, to, word in pairs
        for made in [await service.create(admin(name), new(word))]
    ]
    await asyncio.gather(*(sharing.accept(admin(to), one.id) for to, one in offers))
    for name, _, _ in pairs:
        assert len((await service.list(admin(name), PAGE)).items) == len(pairs)
