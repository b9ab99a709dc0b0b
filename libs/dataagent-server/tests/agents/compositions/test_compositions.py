"""Tool compositions on each database."""

import asyncio
from dataclasses import replace

import pytest
from installation import Installation

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_core.tools.composition import ToolComposition
from dataagent_core.tools.composition.composition_store import (
    CompositionExecution,
    MemberMeasure,
    MemberStatistics,
)
from dataagent_server.agents.compositions.agent_compositions import (
    TenantCompositions,
    round_counts,
)
from dataagent_server.agents.compositions.composition_record import CompositionChanges
from dataagent_server.agents.compositions.composition_service import CompositionService
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import PageRequest

PAGE = PageRequest(None, 10)
SEQUENCE = {
    "kind": "sequential",
    "inputs": {"q": {"type": "string"}},
    "steps": [{"args": {"query": "{{input.q}}"}}, {"args": {"content": "{{previous}}"}}],
}


@pytest.fixture
def service(installation: Installation) -> CompositionService:
    return CompositionService(
        installation.database, installation.people.audit, installation.time.now
    )


def wished(name: str = "look_up", description: str = "查找") -> CompositionChanges:
    return CompositionChanges(
        name=name,
        description=description,
        tools=("web_search", "write_file"),
        execution_template=SEQUENCE,
        fallback_alternatives={"web_search": ["fetch_url"]},
    )


async def usable(installation: Installation, tenant_id: TenantId, project_id: str | None):
    return await TenantCompositions(installation.database, tenant_id).list_usable(project_id)


@pytest.mark.every_database
@pytest.mark.requirement("S2-13-tool_compositions")
@pytest.mark.requirement("S2-7.4-stored")
async def test_what_is_stored_is_what_an_agent_gets_and_a_projects_wins(
    installation: Installation, service: CompositionService
):
    ann = await installation.person(await installation.tenant("t"), "ann", "admin")
    project = await installation.people.projects.create(ann, "Sales")
    made = await service.create(ann, None, wished())
    installation.time.pass_s(1)
    nearer = await service.create(ann, project.project_id, wished(description="Nearer"))
    assert await service.get(ann, made.composition.id) == made
    assert (await service.list(ann, None, PAGE)).items == [made]
    assert (await service.list(ann, project.project_id, PAGE)).items == [made, nearer]
    assert await usable(installation, ann.tenant_id, None) == [made.composition]
    assert await usable(installation, ann.tenant_id, project.project_id) == [nearer.composition]
    await installation.people.projects.delete(ann, project.project_id)
    with pytest.raises(NotFoundError):
        await service.get(ann, nearer.composition.id)


@pytest.mark.every_database
async def test_counts_of_executions_at_once_all_add_up(
    installation: Installation, service: CompositionService
):
    ann = await installation.person(await installation.tenant("t"), "ann", "admin")
    made = await service.create(ann, None, wished())
    assert made.success_rate is None
    store = TenantCompositions(installation.database, ann.tenant_id)
    uses = [
        store.add(
            CompositionExecution(
                composition_id=made.composition.id,
                succeeded=n < 6,
                members=(
                    MemberMeasure(tool="web_search", succeeded=True, duration_ms=10),
                    MemberMeasure(tool="write_file", succeeded=n < 6, duration_ms=5),
                ),
            )
        )
        for n in range(8)
    ]
    told = await asyncio.gather(*uses)
    assert sorted(sum(one) for one in told) == list(range(1, 9))
    measured = await service.read_members(ann, made.composition.id)
    assert measured == {
        "web_search": MemberStatistics(calls=8, failures=0, total_ms=80),
        "write_file": MemberStatistics(calls=8, failures=2, total_ms=40),
    }
    counted = await service.get(ann, made.composition.id)
    assert (counted.composition.success_count, counted.composition.failure_count) == (6, 2)
    assert (counted.usage_count, counted.success_rate) == (8, 0.75)
    # A change of the definition loses no count.
    changed = await service.change(
        ann, made.composition.id, CompositionChanges(description="New"), made.number
    )
    assert changed.composition == replace(counted.composition, description="New")
    assert await service.get(ann, made.composition.id) == changed


@pytest.mark.every_database
async def test_a_change_of_the_words_loses_no_count_of_the_same_moment(
    installation: Installation, service: CompositionService
):
    ann = await installation.person(await installation.tenant("t"), "ann", "admin")
    composition_id = (await service.create(ann, None, wished())).composition.id
    store = TenantCompositions(installation.database, ann.tenant_id)
    execution = CompositionExecution(composition_id=composition_id, succeeded=True)

    async def count_and_change(number: int) -> None:
        changes = CompositionChanges(description=f"{number}")
        counted, _ = await asyncio.gather(
            store.add(execution),
            service.change(ann, composition_id, changes),
            return_exceptions=True,
        )
        assert not isinstance(counted, BaseException)

    await asyncio.gather(*(count_and_change(number) for number in range(10)))
    counted = await service.get(ann, composition_id)
    assert (counted.composition.success_count, counted.usage_count) == (10, 10)


@pytest.mark.every_database
async def test_one_that_was_repaired_is_rated_by_what_it_does_since(
    installation: Installation, service: CompositionService
):
    ann = await installation.person(await installation.tenant("t"), "ann", "admin")
    composition_id = (await service.create(ann, None, wished())).composition.id
    store = TenantCompositions(installation.database, ann.tenant_id)

    async def execute(*tools: str, succeeded: bool) -> None:
        measures = [MemberMeasure(tool=one, succeeded=succeeded, duration_ms=5) for one in tools]
        await store.add(
            CompositionExecution(
                composition_id=composition_id, succeeded=succeeded, members=tuple(measures)
            )
        )

    for _ in range(6):
        await execute("web_search", "fetch_url", succeeded=False)
    failing = await service.get(ann, composition_id)
    assert not failing.composition.is_offered
    # The same again, as a form sends it, repairs nothing.
    same = await service.change(ann, composition_id, wished(description="New"))
    assert not same.composition.is_offered
    assert len(await service.read_members(ann, composition_id)) == 2
    other_steps = SEQUENCE | {
        "steps": [{"args": {"query": "{{input.q}} again"}}, {"args": {"content": "{{previous}}"}}]
    }
    for repair, called in (
        (CompositionChanges(fallback_alternatives={"web_search": ["grep"]}), {"web_search"}),
        (CompositionChanges(execution_template=other_steps), {"web_search"}),
        (CompositionChanges(tools=("grep", "write_file"), fallback_alternatives={}), set[str]()),
    ):
        repaired = await service.change(ann, composition_id, repair)
        assert repaired == await service.get(ann, composition_id)
        assert (repaired.composition.is_offered, repaired.success_rate) == (True, None)
        assert set(await service.read_members(ann, composition_id)) == called
        for _ in range(6):
            await execute(*called, succeeded=False)
        assert not (await service.get(ann, composition_id)).composition.is_offered
    # One that began before a repair counts only as a use.
    before = (await service.get(ann, composition_id)).composition.digest
    await service.change(ann, composition_id, CompositionChanges(tools=("grep", "edit_file")))
    late = CompositionExecution(composition_id=composition_id, digest=before, succeeded=False)
    assert await store.add(late) == (0, 0)
    repaired = await service.get(ann, composition_id)
    assert (repaired.usage_count, repaired.composition.failure_count) == (25, 0)


@pytest.mark.every_database
async def test_a_wrong_one_a_taken_name_and_an_outdated_change_are_refused(
    installation: Installation, service: CompositionService
):
    ann = await installation.person(await installation.tenant("t"), "ann", "admin")
    made = await service.create(
        ann, None, replace(wished(), fallback_alternatives={"web_search": ["fetch_it"]})
    )
    with pytest.raises(ConflictError, match="look_up"):
        await service.create(ann, None, wished())
    with pytest.raises(ValidationError, match="give each tool one step"):
        await service.create(ann, None, replace(wished("other"), tools=("web_search",)))
    # No agent could be given these.
    plain = replace(wished("other"), fallback_alternatives={})
    for wrong, words in (
        (wished("grep"), "'grep' is the name of a tool"),
        (wished("mcp__web__find"), "'mcp__web__find' is the name of a tool"),
        (wished("fetch_it"), "the composition 'look_up' calls a tool 'fetch_it'"),
        (replace(plain, tools=("other", "write_file")), "it cannot hold itself"),
        (replace(plain, tools=("look_up", "write_file")), "it cannot hold 'look_up'"),
    ):
        with pytest.raises(ValidationError, match=words):
            await service.create(ann, None, wrong)
        assert words in " ".join(await service.check(ann, None, wrong))
    itself = replace(plain, name=None, tools=("look_up", "write_file"))
    with pytest.raises(ValidationError, match="it cannot hold itself"):
        await service.change(ann, made.composition.id, itself)
    elsewhere = await installation.person(await installation.tenant("u"), "eve", "admin")
    foreign = (await installation.people.projects.create(elsewhere, "Theirs")).project_id
    for project_id in ("nothing", foreign):
        with pytest.raises(NotFoundError, match="no project"):
            await service.check(ann, project_id, plain)
    with pytest.raises(ConflictError, match="meanwhile"):
        await service.change(ann, made.composition.id, wished(), made.number + 1)
    other = await service.create(ann, None, wished("other"))
    with pytest.raises(ConflictError, match="look_up"):
        await service.change(ann, other.composition.id, wished())


async def test_no_composition_calls_another_of_the_tenant_or_of_its_project(
    installation: Installation, service: CompositionService
):
    ann = await installation.person(await installation.tenant("t"), "ann", "admin")
    one, two = [
        (await installation.people.projects.create(ann, name)).project_id for name in ("1", "2")
    ]

    def calling(name: str, tool: str) -> CompositionChanges:
        calls = {"tools": (tool, "write_file"), "fallback_alternatives": {}}
        return replace(wished(name), **calls)

    await service.create(ann, None, calling("ours", "find_all"))
    first = await service.create(ann, one, calling("first", "find_one"))
    for project_id, wrong in (
        (one, calling("find_all", "grep")),
        (one, calling("find_one", "grep")),
        (None, calling("find_one", "grep")),
        (None, calling("wide", "first")),
        (one, calling("wide", "ours")),
    ):
        with pytest.raises(ValidationError, match="cannot work"):
            await service.create(ann, project_id, wrong)
    # No agent of the one project gets what the other has.
    await service.create(ann, two, calling("find_one", "first"))
    # One of the same name is used instead.
    nearer = await service.create(ann, one, calling("ours", "find_one"))
    for wrong in (CompositionChanges(name="find_one"), CompositionChanges(name="find_all")):
        for each in (first, nearer):
            with pytest.raises(ValidationError, match=f"{wrong.name!r}"):
                await service.change(ann, each.composition.id, wrong)
    await service.change(ann, first.composition.id, calling("first", "grep"))


@pytest.mark.every_database
async def test_members_use_them_owners_of_projects_and_admins_change_them(
    installation: Installation, service: CompositionService
):
    tenant, elsewhere = await installation.tenant("t"), await installation.tenant("u")
    ann = await installation.person(tenant, "ann", "admin")
    bob = await installation.person(tenant, "bob")
    eve = await installation.person(elsewhere, "eve", "owner")
    project = await installation.people.projects.create(bob, "Bob's")
    shared = await service.create(ann, None, wished())
    own = await service.create(bob, project.project_id, wished())
    assert await service.get(bob, shared.composition.id) == shared
    for work in (
        lambda: service.create(bob, None, wished("another")),
        lambda: service.change(bob, shared.composition.id, wished()),
        lambda: service.delete(bob, shared.composition.id),
    ):
        with pytest.raises(DeniedError):
            await work()
    assert (await service.list(eve, None, PAGE)).items == []
    assert await usable(installation, elsewhere, project.project_id) == []
    for one in (shared, own):
        for work in (service.get, service.delete):
            with pytest.raises(NotFoundError):
                await work(eve, one.composition.id)
    # Counting by another tenant's id counts nowhere.
    foreign = CompositionExecution(composition_id=shared.composition.id, succeeded=True)
    assert await TenantCompositions(installation.database, elsewhere).add(foreign) == (1, 0)
    assert await service.get(ann, shared.composition.id) == shared
    await service.delete(bob, own.composition.id)
    await service.delete(ann, shared.composition.id)
    assert (await service.list(ann, project.project_id, PAGE)).items == []


@pytest.mark.parametrize(
    ("counts", "shown"),
    [((4, 5), (4, 5)), ((10, 9), (5, 5)), ((99, 100), (40, 60)), ((1_000, 0), (1_000, 0))],
)
def test_an_agent_sees_counts_that_rarely_change_and_stay_on_their_side(
    counts: tuple[int, int], shown: tuple[int, int]
):
    found = round_counts(ToolComposition("i", "n", "", (), {}, {}, *counts))
    assert (found.success_count, found.failure_count) == shown
