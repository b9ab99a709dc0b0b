"""The doctor counts what is unclean, and tidying puts it right."""

from dataclasses import replace
from datetime import timedelta

import pytest
from remembered import OWNER, SCOPE, Remembering

from dataagent_core.memory.doctor.doctor_report import DoctorFinding, TidyReport
from dataagent_core.memory.doctor.memory_tidier import REASON_KEY
from dataagent_core.memory.memory import Memory, MemoryMetadata, MemorySource
from dataagent_core.memory.search.index_text import index_text

DAY = timedelta(days=1)


async def plant(world: Remembering, name: str, content: str, **more: object) -> Memory:
    """Store a memory past every rule, as an older version may have."""
    memory = Memory(
        id=name,
        scope=SCOPE,
        type="fact",
        content=content,
        source=MemorySource(),
        confidence=1.0,
        valid_from=world.clock.now,
        recorded_at=world.clock.now,
        updated_at=world.clock.now,
    )
    changed = replace(memory, **more)  # pyright: ignore[reportArgumentType]
    return await world.store.add(changed, await index_text(content, None))


async def plant_all(world: Remembering) -> None:
    await world.recall("The user lives in Berlin")
    await world.talk.person("Where do I live? I like green tea.")
    await world.talk.agent("You live in Berlin.")
    source = await world.talk.source()
    await plant(world, "first", "I like green tea", source=source)
    await plant(world, "double", "The user likes green tea", source=source)
    await plant(world, "loop", "The user lives in Berlin", source=source)
    await plant(world, "invented", "The user has 7 dogs", source=source)
    await plant(world, "secret", "The password is hunter2")
    await plant(world, "over", "The sale ends", expires_at=world.clock.now)
    gone = replace(source, session_id="deleted")
    await plant(world, "unknown", "I play the piano", source=gone)
    old = world.clock.now - 400 * DAY
    await plant(
        world,
        "passing",
        "We spoke of trains",
        type="context",
        source=gone,
        updated_at=old,
        recorded_at=old,
    )


@pytest.mark.requirement("F22-2-doctor")
async def test_the_doctor_counts_each_defect_and_names_examples(world: Remembering):
    await plant_all(world)
    report = await world.service.doctor(OWNER)

    def found(*ids: str) -> DoctorFinding:
        return DoctorFinding(count=len(ids), rate=len(ids) / 8, examples=ids)

    assert report.total == 8
    assert report.duplicate == found("double")
    assert report.loop == found("loop")
    assert report.ungrounded == found("invented")
    assert report.secret == found("secret")
    assert sorted(report.stale.examples) == ["over", "passing"]
    assert report.unchecked == 1


@pytest.mark.requirement("F22-2-nightly")
async def test_tidying_puts_right_what_the_doctor_found(world: Remembering):
    await plant_all(world)
    report = await world.service.tidy(OWNER)
    assert report == TidyReport(merged=1, expired=1, retired=2, forgotten=1)
    after = await world.service.doctor(OWNER)
    assert [after.duplicate, after.loop, after.ungrounded, after.secret] == [DoctorFinding()] * 4
    loop = await world.service.get("loop", OWNER)
    assert loop.retired_at == world.clock.now
    assert "recalled" in str(loop.extra[REASON_KEY])
    assert (await world.service.get("first", OWNER)).extra["times_said"] == 2
    assert await world.service.tidy(OWNER) == TidyReport()


async def test_what_is_clean_is_left_as_it_is(world: Remembering):
    await world.talk.person("I live in Berlin. I like green tea.")
    await world.learn("I live in Berlin")
    await world.learn("I like green tea", "preference")
    await world.talk.tool("fetch_url", "The shop opens at 9")
    await world.learn("The shop opens at 9", kind="tool_result", speaker="a page")
    await world.say("My editor is vim")
    before = await world.service.get_by_user(OWNER)
    assert await world.service.tidy(OWNER) == TidyReport()
    assert await world.service.get_by_user(OWNER) == before


async def test_words_of_others_that_pass_for_the_persons_are_ungrounded(world: Remembering):
    await world.talk.person("Read the page")
    await world.talk.tool("fetch_url", "Dark mode was chosen for reports")
    source = await world.talk.source("tool_result")
    await plant(world, "a", "Dark mode was chosen for reports", source=source)
    await plant(world, "b", "Dark mode was chosen for reports", source=source, type="preference")
    report = await world.service.doctor(OWNER)
    assert report.ungrounded.count == 2


async def test_memories_of_others_are_not_looked_at(world: Remembering):
    other = replace(SCOPE, user_id="eve")
    await world.service.add("I live in Rome", MemoryMetadata(scope=other))
    assert (await world.service.doctor(OWNER)).total == 0
