"""What becomes of a memory that is added to others."""

import asyncio
from datetime import timedelta

import pytest
from remembered import OWNER, SCOPE, Remembering

from dataagent_core.errors import ConflictError, ValidationError
from dataagent_core.memory.changes.merge import list_sources, read_count
from dataagent_core.memory.memory import MemoryMetadata, MemoryScope
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder

DAY = timedelta(days=1)


async def contents(world: Remembering, **options: object) -> list[str]:
    found = await world.service.search("where do I live or moved", SCOPE, **options)  # pyright: ignore[reportArgumentType]
    return [one.memory.content for one in found]


@pytest.mark.requirement("F22-2-merge")
@pytest.mark.parametrize("embeds", [False, True])
async def test_the_same_said_again_is_one_memory_in_the_newest_words(
    world: Remembering, *, embeds: bool
):
    if embeds:
        world.service = MemoryService(world.store, embedder=WordLlamaEmbedder(), clock=world.clock)
    first = await world.say("I like green tea", confidence=0.5)
    world.clock.now += DAY
    for said in ("I like  GREEN tea", "The user likes green tea.", "I like green tea"):
        result = await world.service.remember(said, MemoryMetadata(scope=SCOPE, confidence=0.5))
        assert (result.action, result.memory.id) == ("merged", first.id)
    (kept,) = await world.service.get_by_user(OWNER)
    assert (kept.content, read_count(kept), kept.confidence) == ("I like green tea", 4, 0.9375)
    assert kept.valid_from == first.valid_from
    (found,) = await world.service.search("green tea", SCOPE)
    assert found.memory == kept


async def test_two_sources_of_one_memory_are_both_kept(world: Remembering):
    await world.talk.person("I live in Berlin")
    await world.learn("I live in Berlin")
    world.talk.run_id = "r2"
    await world.talk.person("As you know, I live in Berlin")
    again = await world.learn("I live in Berlin")
    assert [source.run_id for source in list_sources(again)] == ["r1", "r2"]


async def test_a_run_that_is_learned_from_again_counts_nothing_twice(world: Remembering):
    await world.talk.person("I live in Berlin")
    first = await world.learn("I live in Berlin", confidence=0.5)
    again = await world.learn("I live in Berlin", confidence=0.5)
    assert again == first


@pytest.mark.requirement("F22-1-cases")
async def test_what_differs_in_type_taint_or_scope_is_not_merged(world: Remembering):
    await world.say("The shop opens at 9")
    await world.say("The shop opens at 9", type="context")
    other = MemoryScope.of_organisation(SCOPE.tenant_id, SCOPE.user_id)
    await world.service.add("The shop opens at 9", MemoryMetadata(scope=other))
    await world.talk.tool("fetch_url", "The shop opens at 9")
    await world.learn("The shop opens at 9", kind="tool_result", speaker="x")
    assert len(await world.service.get_by_user(OWNER)) == 4


@pytest.mark.requirement("F22-2-contradiction")
@pytest.mark.requirement("S2-1.2-two-times")
async def test_a_contradiction_closes_the_older_one_and_both_can_be_asked_for(world: Remembering):
    started = world.clock.now
    berlin = await world.say("I live in Berlin")
    world.clock.now += 10 * DAY
    result = await world.service.remember("I moved to Paris", MemoryMetadata(scope=SCOPE))
    assert result.action == "replaced"
    assert [one.id for one in result.closed] == [berlin.id]
    closed = await world.service.get(berlin.id, OWNER)
    assert (closed.valid_to, closed.replaced_by) == (world.clock.now, result.memory.id)
    assert await contents(world) == ["I moved to Paris"]
    assert await contents(world, as_of=started + DAY) == ["I live in Berlin"]
    history = await world.service.get_history(result.memory.id, OWNER)
    assert [one.id for one in history.history] == [berlin.id]


async def test_what_is_of_another_subject_closes_nothing(world: Remembering):
    await world.say("I live in Berlin")
    await world.say("Anna lives in Paris")
    await world.say("I like tea")
    await world.say("I like coffee")
    assert len(await world.service.get_by_user(OWNER)) == 4


async def test_strangers_close_nothing(world: Remembering):
    await world.say("My editor is vim")
    await world.talk.tool("fetch_url", "My editor is emacs")
    await world.learn("My editor is emacs", kind="tool_result", speaker="a page")
    assert len(await world.service.get_by_user(OWNER)) == 2


async def test_a_statement_with_a_beginning_was_true_since_then(world: Remembering):
    await world.say("I live in Paris since 2020")
    year = world.clock.now.replace(year=2021)
    assert await contents(world, as_of=year) == ["I live in Paris since 2020"]
    assert await contents(world, as_of=year.replace(year=2019)) == []


@pytest.mark.requirement("F22-bad-clock")
async def test_a_clock_that_was_set_back_hides_nothing_and_closes_all_the_same(
    world: Remembering,
):
    await world.say("I live in Berlin")
    world.clock.now -= 400 * DAY
    assert await contents(world) == ["I live in Berlin"]
    await world.say("I live in Paris")
    assert await contents(world) == ["I live in Paris"]
    world.clock.now += 800 * DAY
    assert await contents(world) == ["I live in Paris"]


async def test_a_subject_given_by_hand_counts_as_one(world: Remembering):
    await world.say("Oat milk", subject="milk for coffee")
    await world.say("Soy milk", subject="milk for coffee")
    (kept,) = await world.service.get_by_user(OWNER)
    assert kept.content == "Soy milk"


async def test_what_was_called_wrong_was_never_true_and_what_it_closed_holds_again(
    world: Remembering,
):
    berlin = await world.say("I live in Berlin")
    world.clock.now += DAY
    paris = await world.say("I live in Paris")
    result = await world.service.mark_wrong(paris.id, OWNER)
    assert (result.memory.retired_at, result.replacement) == (world.clock.now, None)
    assert await contents(world) == ["I live in Berlin"]
    assert (await world.service.get(berlin.id, OWNER)).replaced_by == ""


async def test_a_correction_takes_the_place_of_what_was_wrong(world: Remembering):
    berlin = await world.say("I live in Berlin")
    result = await world.service.mark_wrong(berlin.id, OWNER, correction="I live in Bern")
    assert result.replacement is not None
    assert result.memory.replaced_by == result.replacement.id
    assert await contents(world) == ["I live in Bern"]
    with pytest.raises(ConflictError):
        await world.service.mark_wrong(berlin.id, OWNER, version=berlin.version)


async def test_a_correction_that_is_refused_changes_nothing(world: Remembering):
    known = await world.say("The database moved")
    with pytest.raises(ValidationError):
        await world.service.mark_wrong(known.id, OWNER, correction="Its password is hunter2")
    assert await world.service.get(known.id, OWNER) == known


async def test_a_person_changes_what_they_were_shown(world: Remembering):
    await world.talk.person("I live in Berlin")
    known = await world.learn("I live in Berlin")
    changed = await world.service.update(
        known.id, OWNER, known.version, content="I live in Bern", type="context", valid_to=None
    )
    assert (changed.content, changed.type, changed.source.kind) == (
        "I live in Bern",
        "context",
        "manual",
    )
    assert await contents(world) == ["I live in Bern"]
    with pytest.raises(ConflictError):
        await world.service.update(known.id, OWNER, known.version, type="fact")
    later = world.clock.now + DAY
    expiring = await world.service.update(known.id, OWNER, changed.version, expires_at=later)
    assert (expiring.expires_at, expiring.content) == (later, "I live in Bern")
    with pytest.raises(ValidationError):
        await world.service.update(
            known.id, OWNER, expiring.version, content="The password is hunter2"
        )


async def test_words_of_strangers_stay_a_fact_until_the_person_writes_their_own(
    world: Remembering,
):
    await world.talk.tool("fetch_url", "The shop opens at 9")
    known = await world.learn("The shop opens at 9", kind="tool_result", speaker="a page")
    with pytest.raises(ValidationError):
        await world.service.update(known.id, OWNER, known.version, type="preference")
    own = await world.service.update(
        known.id, OWNER, known.version, content="I like shops that open at 9", type="preference"
    )
    assert (own.is_tainted, own.type) == (False, "preference")


async def test_many_who_say_the_same_at_once_make_one_memory(world: Remembering):
    await asyncio.gather(*(world.say("I like green tea") for _ in range(5)))
    (kept,) = await world.service.get_by_user(OWNER)
    assert read_count(kept) == 5


async def test_two_processes_that_write_the_same_lose_nothing(world: Remembering):
    other = Remembering(world.path, world.talk, world.clock)
    await world.say("I live in Berlin")
    await asyncio.gather(
        *(one.say(f"I live in Town{number}") for number in range(4) for one in (world, other))
    )
    current = await world.service.get_by_user(OWNER)
    assert len(current) >= 1
    everything = [one async for one in world.service.export(OWNER)]
    assert len({one.content for one in everything}) == 5


async def test_use_is_counted(world: Remembering):
    known = await world.say("I live in Berlin")
    world.clock.now += DAY
    await world.service.note_used([known])
    used = await world.service.get(known.id, OWNER)
    assert (used.access_count, used.last_accessed_at) == (1, world.clock.now)


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan")])
async def test_a_confidence_out_of_range_is_refused(world: Remembering, confidence: float):
    with pytest.raises(ValidationError, match="0 to 1"):
        await world.say("I live in Berlin", confidence=confidence)


@pytest.mark.parametrize(
    ("one", "other", "kept"), [(1, 2, 2), (2, 1, 2), (None, 1, None), (1, None, None)]
)
async def test_what_is_said_again_expires_with_the_later_of_both(
    world: Remembering, one: int | None, other: int | None, kept: int | None
):
    now = world.clock.now
    for days in (one, other):
        memory = await world.say(
            "I like green tea", expires_at=None if days is None else now + days * DAY
        )
    assert memory.expires_at == (None if kept is None else now + kept * DAY)


@pytest.mark.requirement("F22-1-learn")
async def test_a_run_that_goes_on_after_a_crash_undoes_nothing_that_was_said_later(
    world: Remembering,
):
    await world.talk.person("I live in Berlin")
    berlin = await world.learn("I live in Berlin")
    world.clock.now += DAY
    basel = await world.say("I live in Basel")
    again = await world.learn("I live in Berlin")
    assert (again.id, again.valid_to) == (berlin.id, world.clock.now)
    assert await contents(world) == [basel.content]


async def test_a_closed_memory_that_was_wrong_leaves_one_truth(world: Remembering):
    started = world.clock.now
    berlin = await world.say("I live in Berlin")
    world.clock.now += DAY
    paris = await world.say("I live in Paris")
    world.clock.now += DAY
    basel = await world.say("I live in Basel")
    await world.service.mark_wrong(paris.id, OWNER)
    assert await contents(world) == ["I live in Basel"]
    opened = await world.service.get(berlin.id, OWNER)
    assert (opened.valid_to, opened.replaced_by) == (world.clock.now, basel.id)
    assert await contents(world, as_of=started + 1.5 * DAY) == ["I live in Berlin"]


async def test_new_words_of_a_person_keep_no_old_quote(world: Remembering):
    await world.talk.person("I live in Berlin")
    await world.learn("I live in Berlin", quote="I live in Berlin")
    world.talk.run_id = "r2"
    await world.talk.person("As you know, I live in Berlin")
    known = await world.learn("I live in Berlin", quote="I live in Berlin")
    changed = await world.service.update(known.id, OWNER, known.version, content="I live in Bern")
    assert [source.quote for source in list_sources(changed)] == [""]
    assert read_count(changed) == 2
