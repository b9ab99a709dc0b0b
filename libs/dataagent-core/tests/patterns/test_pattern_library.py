"""What an engine gets of a tenant's patterns: an offer, hints, and what it may not use."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from traced_runs import GOAL, NOW, RunLog, worked

from dataagent_core.config.limits.patterns import PATTERN_CORRECTIONS_MAX, PATTERN_STEPS_MAX
from dataagent_core.errors import ConflictError, NotFoundError, StorageError, ValidationError
from dataagent_core.patterns import (
    InteractionPattern,
    LearningSwitches,
    PatternFinding,
    PatternLibrary,
    PatternStep,
    PatternStore,
    PatternTerms,
    open_pattern_store,
)
from dataagent_core.patterns.pattern_text import is_written_by
from dataagent_core.patterns.sql.sql_pattern_store import SqlPatternStore
from dataagent_core.patterns.sql.sqlite_pattern_store import PatternFile
from dataagent_core.patterns.trace import Correction

ON = LearningSwitches()
TOOLS = frozenset({"sql_query", "chart_create", "shell"})


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


class World:
    """A library over a file, and the time in it."""

    def __init__(self, path: Path, tenant_id: str = "t", **more: Any) -> None:
        self.clock = Clock()
        self.store: PatternStore = open_pattern_store(path, tenant_id)
        self.library = PatternLibrary(self.store, tenant_id, clock=self.clock, **more)

    async def learn(self, *goals: str, times: int = 3, **more: Any) -> InteractionPattern:
        learned = None
        for number, goal in enumerate(goals * times):
            trace = worked(f"{goal}{number}", goal)
            learned = await self.library.learn(trace, switches=ON, user_id="ada", **more)
        assert learned is not None
        return learned

    async def find(
        self,
        message: str = GOAL,
        tools: frozenset[str] = TOOLS,
        switches: LearningSwitches = ON,
    ) -> PatternFinding:
        return await self.library.find(message, tools=tools, switches=switches)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "patterns.db")


@pytest.mark.requirement("S2-6.5.5")
@pytest.mark.requirement("S2-6.5.7-admission")
@pytest.mark.requirement("S2-A-patterns")
async def test_a_task_that_succeeded_three_times_is_offered(world: World):
    await world.learn(GOAL, times=2)
    assert await world.find("revenue by region for May 2026") == PatternFinding()
    learned = await world.learn(GOAL, times=3)
    found = await world.find("revenue by region for May 2026")
    assert found.offer is not None
    assert (found.offer.pattern.id, found.offer.similarity) == (learned.id, 1.0)
    assert found.hints == found.unusable == ()
    assert await world.find("write a poem about the sea") == PatternFinding()


@pytest.mark.requirement("S2-6.5.5")
async def test_what_is_like_it_in_part_is_a_hint_and_there_are_at_most_three(tmp_path: Path):
    terms = PatternTerms(entity_weight=0.8, signature_weight=0.0, offer_over=1.0)
    world = World(tmp_path / "patterns.db", terms=terms)
    goals = [f"revenue by {what}" for what in ("region", "product", "month", "shop", "week")]
    for goal in goals:
        await world.learn(goal)
    found = await world.find("revenue by region and product")
    assert found.offer is None
    assert [one.similarity for one in found.hints] == sorted(
        (one.similarity for one in found.hints), reverse=True
    )
    assert {one.pattern.name for one in found.hints[:2]} == {goals[0], goals[1]}
    assert len(found.hints) == 3


async def test_an_old_pattern_of_the_task_is_a_hint(world: World):
    await world.learn(GOAL)
    world.clock.now += timedelta(days=100)
    found = await world.find()
    assert found.offer is None
    # The signature and the terms; neither recent nor, after 90 days without use, successful.
    assert [one.similarity for one in found.hints] == [0.7]


@pytest.mark.parametrize("switch", ["tenant", "user", "session"])
async def test_each_switch_turns_it_off(world: World, switch: str):
    await world.learn(GOAL)
    off = LearningSwitches(**{switch: False})
    assert await world.find(switches=off) == PatternFinding()
    assert await world.library.learn(worked(goal="costs by shop"), switches=off) is None
    assert len(await world.store.list_page()) == 1


@pytest.mark.requirement("F21-bad-tool")
async def test_a_pattern_whose_tool_is_gone_or_denied_is_not_usable(world: World):
    await world.learn(GOAL)
    found = await world.find(tools=frozenset({"chart_create"}))
    assert (found.offer, found.hints) == (None, ())
    (unusable,) = found.unusable
    assert unusable.missing_tools == ("sql_query",)


@pytest.mark.requirement("F21-5-others")
@pytest.mark.parametrize("way", ["run", "feedback", "edit"])
async def test_words_of_a_colleague_are_known_as_such(world: World, way: str):
    mine = await world.learn(GOAL)
    assert is_written_by(mine, "ada")
    again = worked("colleague", GOAL)
    if way == "run":
        changed = await world.library.learn(again, switches=ON, user_id="eve")
    elif way == "feedback":
        await world.library.learn(again, switches=ON, user_id="ada")
        said = replace(again, corrections=(Correction(kind="feedback", text="net, not gross"),))
        changed = await world.library.learn_again(said, user_id="eve")
    else:
        changed = await world.library.edit(mine.id, mine.version, name="x", user_id="eve")
    assert changed is not None
    assert not is_written_by(changed, "ada")
    assert not is_written_by(changed, "eve")


async def test_being_asked_for_is_noted(world: World):
    learned = await world.learn(GOAL)
    world.clock.now += timedelta(days=20)
    await world.find()
    noted = await world.store.get(learned.id)
    assert noted is not None
    assert noted.last_queried_at == world.clock.now


async def test_learning_again_from_a_run_counts_it_once(world: World):
    once = await world.learn(GOAL, times=1)
    again = await world.library.learn(worked(f"{GOAL}0"), switches=ON)
    assert again == once


async def test_many_who_learn_at_once_lose_nothing(tmp_path: Path):
    worlds = [World(tmp_path / "patterns.db") for _ in range(8)]
    await asyncio.gather(
        *(one.library.learn(worked(f"r{number}"), switches=ON) for number, one in enumerate(worlds))
    )
    (pattern,) = await worlds[0].store.list_page()
    assert (pattern.usage_count, pattern.success_count) == (8, 8)


async def test_a_run_that_worked_by_a_pattern_counts_for_it(world: World):
    learned = await world.learn(GOAL)
    other = worked("other", "costs by product", failed=True)
    counted = await world.library.learn(other, switches=ON, pattern_id=learned.id)
    assert counted is not None
    assert (counted.id, counted.usage_count, counted.failure_count) == (learned.id, 4, 1)
    assert len(await world.store.list_page()) == 1


async def test_a_pattern_deleted_during_the_run_does_not_come_back(world: World):
    learned = await world.learn(GOAL)
    assert await world.library.forget(learned.id)
    assert await world.library.learn(worked("x"), switches=ON, pattern_id=learned.id) is None
    assert await world.store.list_page() == []


async def test_a_pattern_deleted_while_it_is_learned_does_not_come_back(tmp_path: Path):
    world = World(tmp_path / "patterns.db")
    learned = await world.learn(GOAL)

    class Deleted(SqlPatternStore):
        """Somebody deletes the pattern between a look at it and the save."""

        async def get(self, pattern_id: str) -> InteractionPattern | None:
            found = await super().get(pattern_id)
            await self.delete(pattern_id)
            return found

    store = Deleted(PatternFile(tmp_path / "patterns.db"), "t")
    assert await PatternLibrary(store, "t").learn(worked("x"), switches=ON) is None
    assert await world.store.get(learned.id) is None


async def test_feedback_changes_what_was_learned_and_nothing_else(world: World):
    learned = await world.learn(GOAL)
    rated = RunLog(f"{GOAL}1").call("sql_query", sql="x").done().feedback("down", "by month")
    changed = await world.library.learn_again(rated.trace())
    assert changed is not None
    assert (changed.usage_count, changed.failure_count) == (3, 1)
    assert changed.corrections == ("by month",)
    # Of a run that no pattern knows, or that another session's log only says to be one.
    unknown = RunLog("imported").call("shell").done().feedback("up", "always use the shell")
    assert await world.library.learn_again(unknown.trace()) is None
    forged = replace(rated.trace(), conversation_id="imported")
    assert await world.library.learn_again(forged) is None
    assert await world.store.get(learned.id) == changed
    assert await world.library.forget(learned.id)
    assert await world.library.learn_again(rated.feedback("up").trace()) is None
    assert await world.store.list_page() == []


@pytest.mark.requirement("S2-6.5.7-removal")
async def test_a_pattern_somebody_calls_useless_is_deleted_at_once(world: World):
    learned = await world.learn(GOAL)
    assert await world.library.mark_useless(learned.id)
    assert not await world.library.mark_useless(learned.id)
    assert await world.find() == PatternFinding()


@pytest.mark.parametrize(
    "trace",
    [
        worked(failed=True),
        worked(goal=""),
        worked(goal="\ud800 ???"),
        RunLog().done().trace(),
        RunLog().trace(),
        RunLog().call("shell").done("user_cancelled").trace(),
        RunLog().call("shell", status="error").done().trace(),
    ],
)
async def test_nothing_is_learned_where_there_is_nothing_to_learn(world: World, trace: Any):
    assert await world.library.learn(trace, switches=ON) is None
    assert await world.store.list_page() == []


@pytest.mark.parametrize("message", ["", "🎉", "\x00", "revenue " * 125_000, "\ud800" * 1_000_000])
async def test_any_message_can_be_asked_for(world: World, message: str):
    await world.learn(GOAL)
    found = await world.find(message)
    assert found.offer is None


async def test_a_file_that_cannot_be_read_does_not_stop_the_work(tmp_path: Path):
    (tmp_path / "patterns.db").write_text("no database " * 1_000)
    world = World(tmp_path / "patterns.db")
    assert await world.find() == PatternFinding()
    with pytest.raises(StorageError):
        await world.library.learn(worked(), switches=ON)


async def test_a_list_shows_the_state_of_now(world: World):
    learned = await world.learn(GOAL)
    assert [one.state for one in await world.library.list_page(user_id="ada")] == ["trusted"]
    assert await world.library.list_page(user_id="eve") == []
    world.clock.now += timedelta(days=181)
    assert [one.state for one in await world.library.list_page()] == ["archived"]
    shown = await world.library.get(learned.id)
    assert shown is not None
    assert shown.state == "archived"
    assert await world.library.get("nothing") is None


@pytest.mark.requirement("S2-6.5.8-tenants")
async def test_another_tenant_is_offered_nothing(tmp_path: Path, world: World):
    await world.learn(GOAL)
    other = World(tmp_path / "patterns.db", "other")
    assert await other.find() == PatternFinding()
    await other.learn(GOAL)
    assert len(await world.store.list_page()) == len(await other.store.list_page()) == 1


@pytest.mark.requirement("S2-6.5.8-privacy")
async def test_nothing_personal_is_in_the_file(tmp_path: Path, world: World):
    goal = "mail the revenue to bob@example.com, password is hunter2, call 13812345678"
    log = RunLog().call("shell", command="echo hunter2 > bob")
    learned = await world.library.learn(log.done().trace(goal), switches=ON)
    assert learned is not None
    await world.library.edit(
        learned.id, learned.version, name="for bob@example.com", description="hunter2@x.io"
    )
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for value in (b"bob@", b"hunter2", b"13812345678"):
        assert value not in stored


async def test_a_person_edits_what_is_shown(world: World):
    learned = await world.learn(GOAL)
    edited = await world.library.edit(
        learned.id,
        learned.version,
        name="Monthly revenue",
        description="For the board",
        steps=[PatternStep(description="Query", tools=("sql_query",), is_text_left_out=True)],
        corrections=["net, not gross", ""],
    )
    assert edited.corrections == ("net, not gross",)
    assert (edited.name, edited.description) == ("Monthly revenue", "For the board")
    assert not edited.steps[0].is_text_left_out
    with pytest.raises(ConflictError, match="version"):
        await world.library.edit(learned.id, learned.version, name="Late")
    with pytest.raises(NotFoundError):
        await world.library.edit("nothing", 1, name="x")


async def test_what_a_person_writes_into_a_step_is_bounded(world: World):
    learned = await world.learn(GOAL)
    many = tuple(f"text {number}" for number in range(1_000))
    step = PatternStep(tools=("shell",) * 1_000, decision_points=many, corrections=many)
    edited = await world.library.edit(learned.id, learned.version, steps=[step])
    (kept,) = edited.steps
    assert kept.tools == ("shell",)
    assert kept.decision_points == kept.corrections == many[-PATTERN_CORRECTIONS_MAX:]


@pytest.mark.parametrize(
    "change",
    [
        {"name": " "},
        {"steps": [PatternStep()] * (PATTERN_STEPS_MAX + 1)},
        {"steps": [PatternStep(tools=("rm -rf /; always delete",))]},
    ],
)
async def test_an_edit_that_makes_no_sense_is_refused(world: World, change: Any):
    learned = await world.learn(GOAL)
    with pytest.raises(ValidationError):
        await world.library.edit(learned.id, learned.version, **change)
    assert await world.store.get(learned.id) == replace(learned)
