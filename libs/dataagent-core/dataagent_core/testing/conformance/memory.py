"""What every `MemoryStore` does. What it does as a search index is in `memory_index.py`."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.memory.memory import Memory, MemoryScope, MemorySource
from dataagent_core.memory.memory_store import MemoryFilter, MemoryStore, SourceSpan
from dataagent_core.memory.search_index import IndexEntry, SearchedTime
from dataagent_core.memory.text_digest import digest_text

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
DAY = timedelta(days=1)
TENANT = "one"
ADA = MemoryScope.of_user(TENANT, "ada", "helper")
PROJECT = MemoryScope.of_project(TENANT, "ada", "helper", "p1")
EVERYWHERE = MemoryScope.of_organisation(TENANT, "ada")
EVE = MemoryScope.of_user(TENANT, "eve", "helper")


def make_memory(
    name: str = "m", content: str = "I live in Ulm", *, scope: MemoryScope = ADA, age: int = 0
) -> Memory:
    """Make a memory; an older one has more seconds of age."""
    recorded_at = NOW - timedelta(seconds=age)
    return Memory(
        id=name,
        scope=scope,
        type="fact",
        content=content,
        source=MemorySource(),
        confidence=1.0,
        valid_from=NOW - DAY,
        recorded_at=recorded_at,
        updated_at=recorded_at,
    )


def make_full_memory(name: str = "full") -> Memory:
    """Make a memory with something in every field."""
    return Memory(
        id=name,
        scope=PROJECT,
        type="preference",
        content="收入 by region 🎉\0 \ud800 'quoted' \"twice\"\nand a line",
        source=MemorySource(
            kind="conversation",
            session_id="s1",
            run_id="r1",
            seq_first=3,
            seq_last=2**40,
            tool="sql_query",
            speaker="the assistant 助手",
            quote="收入 by \ud800 region",
        ),
        confidence=0.1 + 0.2,
        valid_from=NOW - 400 * DAY,
        recorded_at=NOW,
        updated_at=NOW + DAY,
        valid_to=NOW + 2 * DAY,
        retired_at=NOW + 3 * DAY,
        replaced_by="other",
        expires_at=NOW + 4 * DAY,
        subject="i like 🎉",
        episode_id="e1",
        is_tainted=True,
        access_count=7,
        last_accessed_at=NOW - DAY,
        extra={"deep": {"list": [1, None, "数"]}},
    )


def entry_of(*words: str) -> IndexEntry:
    """Index words, without a vector."""
    return IndexEntry(words=Counter(words))


def ids(memories: Sequence[Memory]) -> list[str]:
    """Name memories in their order."""
    return [memory.id for memory in memories]


async def add(store: MemoryStore, memory: Memory, *closes: Memory) -> Memory:
    """Add a memory, indexed by its words."""
    return await store.add(memory, entry_of(*memory.content.split()), closes)


class MemoryStoreConformance:
    """Needs the fixture `memory_store`, opened for the tenant `TENANT`."""

    @pytest.mark.parametrize("memory", [make_memory(), make_full_memory()], ids=["plain", "full"])
    async def test_a_stored_memory_is_read_back_equal(
        self, memory_store: MemoryStore, memory: Memory
    ) -> None:
        assert await memory_store.get(memory.id) is None
        added = await add(memory_store, memory)
        assert added == replace(memory, version=1)
        assert await memory_store.get(memory.id) == added
        assert await memory_store.get_many([memory.id, "unknown"]) == [added]

    async def test_a_known_id_is_refused_and_closes_nothing(
        self, memory_store: MemoryStore
    ) -> None:
        first, other = [await add(memory_store, make_memory(name)) for name in ("m", "n")]
        with pytest.raises(ConflictError):
            await add(memory_store, make_memory("m", "other"), replace(other, valid_to=NOW))
        assert await memory_store.get("n") == other
        assert await memory_store.get("m") == first

    async def test_what_a_memory_closes_is_saved_with_it_or_nothing_is(
        self, memory_store: MemoryStore
    ) -> None:
        old = await add(memory_store, make_memory("old"))
        stale = replace(old, valid_to=NOW, version=9)
        with pytest.raises(ConflictError, match="version"):
            await add(memory_store, make_memory("new"), stale)
        assert await memory_store.get("new") is None
        new = await add(memory_store, make_memory("new"), replace(old, valid_to=NOW))
        assert await memory_store.get("new") == new
        assert await memory_store.get("old") == replace(old, valid_to=NOW, version=2)

    async def test_of_two_who_save_at_once_one_is_told(self, memory_store: MemoryStore) -> None:
        read = await add(memory_store, make_memory())
        first = await memory_store.save(replace(read, content="first"), entry_of("first"))
        assert first.version == read.version + 1
        with pytest.raises(ConflictError, match="version"):
            await memory_store.save(replace(read, content="second"), entry_of("second"))
        assert await memory_store.get("m") == first

    async def test_an_unknown_memory_cannot_be_saved(self, memory_store: MemoryStore) -> None:
        with pytest.raises(NotFoundError):
            await memory_store.save(make_memory())
        assert await memory_store.get("m") is None

    async def test_a_memory_does_not_move_to_another_scope(self, memory_store: MemoryStore) -> None:
        read = await add(memory_store, make_memory())
        for scope in (EVE, PROJECT, EVERYWHERE):
            with pytest.raises(ValidationError, match="scope"):
                await memory_store.save(replace(read, scope=scope))
        assert await memory_store.get("m") == read

    async def test_a_memory_of_another_tenant_is_refused(self, memory_store: MemoryStore) -> None:
        foreign = make_memory(scope=MemoryScope.of_user("two", "ada", "helper"))
        with pytest.raises(ValidationError, match="tenant"):
            await add(memory_store, foreign)
        with pytest.raises(ValidationError, match="tenant"):
            await memory_store.save(foreign)

    async def test_what_is_removed_is_gone_and_counted(self, memory_store: MemoryStore) -> None:
        await add(memory_store, make_memory("m", "I live in Ulm"))
        kept = await add(memory_store, make_memory("n", "I live in Bonn"))
        removed = await memory_store.remove(["m", "unknown"])
        assert removed["memories"] == 1
        assert await memory_store.get("m") is None
        assert not (await memory_store.remove(["m"])).get("memories")
        assert await memory_store.remove([]) == {}
        with pytest.raises(NotFoundError):
            await memory_store.save(make_memory("m"))
        assert await memory_store.get("n") == kept
        # Its id can be had again, and begins anew.
        assert (await add(memory_store, make_memory("m"))).version == 1

    async def test_pages_have_the_last_recorded_first(self, memory_store: MemoryStore) -> None:
        for number in range(5):
            # Two of one moment.
            await add(memory_store, make_memory(f"m{number}", age=number // 2))
        wanted, all_ids = MemoryFilter(user_id="ada"), ["m1", "m0", "m3", "m2", "m4"]
        assert ids(await memory_store.list_page(wanted, NOW, limit=9)) == all_ids
        seen: list[str] = []
        while page := await memory_store.list_page(
            wanted, NOW, limit=2, after=seen[-1] if seen else None
        ):
            seen += ids(page)
        assert seen == all_ids
        with pytest.raises(NotFoundError):
            await memory_store.list_page(wanted, NOW, limit=2, after="unknown")
        assert await memory_store.list_page(wanted, NOW, limit=0) == []

    async def test_a_page_has_what_its_filter_names(self, memory_store: MemoryStore) -> None:
        memories = [
            make_memory("user"),
            replace(make_memory("project", scope=PROJECT), type="decision"),
            make_memory("org", scope=EVERYWHERE),
            make_memory("other", scope=MemoryScope.of_user(TENANT, "ada", "writer")),
            make_memory("eve", scope=EVE),
            replace(make_memory("said"), source=MemorySource(session_id="s1")),
            replace(make_memory("closed"), valid_to=NOW),
            replace(make_memory("wrong"), retired_at=NOW - DAY),
            replace(make_memory("over"), expires_at=NOW),
        ]
        for memory in memories:
            await add(memory_store, memory)

        async def listed(**wanted: object) -> set[str]:
            asked = MemoryFilter(user_id="ada", **wanted)  # pyright: ignore[reportArgumentType]
            return set(ids(await memory_store.list_page(asked, NOW, limit=50)))

        current = {"user", "project", "org", "other", "said"}
        assert await listed() == current
        assert await listed(with_past=True) == current | {"closed", "wrong", "over"}
        assert await listed(kind="user") == {"user", "other", "said"}
        assert await listed(kind="user", assistant_id="helper") == {"user", "said"}
        assert await listed(project_id="p1") == {"project"}
        assert await listed(types=("decision", "context")) == {"project"}
        assert await listed(session_id="s1") == {"said"}
        before = await memory_store.list_page(
            MemoryFilter(user_id="ada"), NOW - timedelta(microseconds=1), limit=50
        )
        assert {"closed", "over"} <= set(ids(before))

    async def test_scopes_are_those_with_memories(self, memory_store: MemoryStore) -> None:
        for number, scope in enumerate((ADA, PROJECT, EVERYWHERE, EVE)):
            await add(memory_store, make_memory(f"m{number}", scope=scope))
        assert set(await memory_store.list_scopes("ada")) == {ADA, PROJECT, EVERYWHERE}
        await memory_store.remove(["m1"])
        assert set(await memory_store.list_scopes("ada")) == {ADA, EVERYWHERE}
        assert await memory_store.list_scopes("nobody") == []

    async def test_memories_are_found_by_text_subject_and_source(
        self, memory_store: MemoryStore
    ) -> None:
        source = MemorySource(kind="conversation", session_id="s1", seq_first=5, seq_last=8)
        memory = replace(
            make_memory(content="I  LIVE in Ulm"),
            subject="i live in",
            source=source,
            episode_id="e1",
            valid_to=NOW,
        )
        stored = await add(memory_store, memory)
        await add(memory_store, replace(make_memory("n", "else"), subject="", episode_id="e2"))
        digest = digest_text("i live in ulm")
        assert await memory_store.find_same(ADA, digest) == [stored]
        assert await memory_store.find_subject(ADA, "i live in") == [stored]
        assert await memory_store.find_subject(ADA, "") == []
        for first, last, found in ((1, 4, []), (1, 5, [stored]), (6, 7, [stored]), (9, 9, [])):
            assert await memory_store.find_by_source(ADA, "s1", first, last) == found
            spans = [SourceSpan(ADA, "s1", first, last), SourceSpan(ADA, "s2", 1, 9)]
            assert await memory_store.find_by_spans(spans, 9) == found
        assert await memory_store.find_by_episodes([ADA, PROJECT], ["e1", "e9"], 9) == [stored]
        assert await memory_store.find_by_episodes([ADA], [], 9) == []
        # What says nothing of its source is of no session and no episode.
        assert await memory_store.find_by_source(ADA, "", 0, 9) == []
        assert await memory_store.find_by_episodes([ADA], [""], 9) == []
        for scope in (PROJECT, EVERYWHERE, EVE):
            assert await memory_store.find_same(scope, digest) == []
            assert await memory_store.find_subject(scope, "i live in") == []
            assert await memory_store.find_by_source(scope, "s1", 1, 9) == []
            assert await memory_store.find_by_episodes([scope], ["e1"], 9) == []

    async def test_a_changed_text_is_found_and_the_old_one_is_not(
        self, memory_store: MemoryStore
    ) -> None:
        read = await add(memory_store, make_memory(content="Ulm"))
        await memory_store.save(replace(read, content="Bonn", subject="x"), entry_of("Bonn"))
        assert await memory_store.find_same(ADA, digest_text("ulm")) == []
        assert ids(await memory_store.find_same(ADA, digest_text("bonn"))) == ["m"]
        assert ids(await memory_store.find_subject(ADA, "x")) == ["m"]
        now = SearchedTime(now=NOW)
        assert await memory_store.match_words([ADA], ["Ulm"], ["memory"], now, 9) == []
        (match,) = await memory_store.match_words([ADA], ["Bonn"], ["memory"], now, 9)
        assert match.key.id == "m"

    async def test_what_has_expired_is_found_the_oldest_first(
        self, memory_store: MemoryStore
    ) -> None:
        for name, scope, moment in (
            ("now", ADA, NOW),
            ("old", EVE, NOW - DAY),
            ("later", ADA, NOW + timedelta(microseconds=1)),
            ("never", ADA, None),
        ):
            await add(memory_store, replace(make_memory(name, scope=scope), expires_at=moment))
        assert ids(await memory_store.find_expired(NOW, 9)) == ["old", "now"]
        assert ids(await memory_store.find_expired(NOW, 1)) == ["old"]
        assert ids(await memory_store.find_expired(NOW, 9, ADA)) == ["now"]
        assert await memory_store.find_expired(NOW - 2 * DAY, 9) == []

    async def test_uses_are_counted_and_a_save_takes_none_back(
        self, memory_store: MemoryStore
    ) -> None:
        read = await add(memory_store, make_memory())
        await memory_store.note_access(["m", "unknown"], NOW)
        await memory_store.note_access(["m"], NOW - DAY)
        await memory_store.note_access([], NOW)
        saved = await memory_store.save(replace(read, type="context"))
        assert await memory_store.get("m") == replace(saved, access_count=2, last_accessed_at=NOW)

    async def test_those_who_use_the_same_memories_at_once_do_not_block_each_other(
        self, memory_store: MemoryStore
    ) -> None:
        names = [f"m{number}" for number in range(4)]
        for name in names:
            await add(memory_store, make_memory(name))
        orders = [names if number % 2 else names[::-1] for number in range(8)]
        await asyncio.gather(*(memory_store.note_access(order, NOW) for order in orders))
        assert {one.access_count for one in await memory_store.get_many(names)} == {8}

    async def test_many_who_add_at_once_lose_nothing(self, memory_store: MemoryStore) -> None:
        names = [f"m{number}" for number in range(8)]
        await asyncio.gather(*(add(memory_store, make_memory(name, "Ulm")) for name in names))
        found = await memory_store.match_words(
            [ADA], ["Ulm"], ["memory"], SearchedTime(now=NOW), 99
        )
        assert sorted(match.key.id for match in found) == names

    async def test_a_removed_user_leaves_nothing_and_others_everything(
        self, memory_store: MemoryStore
    ) -> None:
        for number, scope in enumerate((ADA, PROJECT, EVERYWHERE)):
            await add(memory_store, make_memory(f"m{number}", scope=scope))
        hers = await add(memory_store, make_memory("eve", scope=EVE))
        assert (await memory_store.remove_user("ada"))["memories"] == 3  # noqa: PLR2004 (all)
        assert await memory_store.list_scopes("ada") == []
        everything = MemoryFilter(user_id="ada", with_past=True)
        assert await memory_store.list_page(everything, NOW, limit=9) == []
        now = SearchedTime(now=NOW)
        scopes = [ADA, PROJECT, EVERYWHERE]
        assert await memory_store.match_words(scopes, ["Ulm"], ["memory"], now, 9) == []
        assert await memory_store.get("eve") == hers
        assert not (await memory_store.remove_user("ada")).get("memories")
        # Who comes back begins anew.
        await add(memory_store, make_memory("m0"))
        assert await memory_store.list_scopes("ada") == [ADA]

    async def test_a_scan_finds_a_text_in_each_column_until_it_is_gone(
        self, memory_store: MemoryStore
    ) -> None:
        text = 'key 收入 "7"\n\ud800\'\\'
        source = MemorySource(session_id="s", quote=f"a {text}")
        others = [
            make_memory("content", f"so {text}!"),
            replace(make_memory("subject"), subject=text),
            replace(make_memory("quote"), source=source),
            replace(make_memory("extra"), extra={"of": [f"x\n{text}"]}),
        ]
        for memory in others:
            await memory_store.add(memory, entry_of("some"))
        await add(memory_store, make_memory("eve", text, scope=EVE))
        await add(memory_store, make_memory("longer", f"x{text}"))
        assert sum((await memory_store.scan(text, "ada")).values()) == len(others)
        assert sum((await memory_store.scan(text, "eve")).values()) == 1
        for left in range(len(others), 0, -1):
            await memory_store.remove([others[left - 1].id])
            assert sum((await memory_store.scan(text, "ada")).values()) == left - 1
        assert sum((await memory_store.scan("of Ulm", "ada")).values()) == 0
        with pytest.raises(ValidationError, match="scan"):
            await memory_store.scan(" ", "ada")


class MemoryStoreTenantConformance:
    """Needs the fixture `memory_store_pair`, opened for the tenants `TENANT` and `"two"`."""

    async def test_another_tenants_memories_can_neither_be_seen_nor_changed(
        self, memory_store_pair: tuple[MemoryStore, MemoryStore]
    ) -> None:
        mine, theirs = memory_store_pair
        memory = replace(make_memory(), subject="x", episode_id="e", expires_at=NOW + DAY)
        stored = await add(mine, memory)
        later = NOW + 2 * DAY
        assert await theirs.get("m") is None
        assert await theirs.get_many(["m"]) == []
        assert await theirs.list_scopes("ada") == []
        wanted = MemoryFilter(user_id="ada", with_past=True)
        assert await theirs.list_page(wanted, NOW, limit=9) == []
        assert await theirs.find_same(ADA, digest_text(stored.content)) == []
        assert await theirs.find_subject(ADA, "x") == []
        assert await theirs.find_by_episodes([ADA], ["e"], 9) == []
        assert await theirs.find_expired(later, 9) == []
        now = SearchedTime(now=NOW)
        assert await theirs.match_words([ADA], ["Ulm"], ["memory"], now, 9) == []
        assert await theirs.list_unembedded("e", 9) == []
        assert not (await theirs.remove(["m"])).get("memories")
        assert not (await theirs.remove_user("ada")).get("memories")
        assert sum((await theirs.scan("Ulm", "ada")).values()) == 0
        await theirs.note_access(["m"], NOW)
        # The same id and the same names are free in another tenant.
        own = await add(theirs, make_memory(scope=replace(ADA, tenant_id="two")))
        assert await theirs.get("m") == own
        await theirs.remove_user("ada")
        assert await mine.get("m") == stored
        (match,) = await mine.match_words([ADA], ["Ulm"], ["memory"], now, 9)
        assert match.key.id == "m"
