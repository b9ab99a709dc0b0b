"""Indexes are shared by whoever has equal documents, also over event loops and threads."""

import asyncio
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from dataagent_core.config import Settings
from dataagent_core.models.embeddings import (
    MatchDocument,
    WeightedPattern,
    find_index,
    resolve_embedder,
)
from dataagent_core.models.embeddings.embedder import Vector
from dataagent_core.models.embeddings.kept_vectors import KeptVectors
from dataagent_core.skills import Skill
from dataagent_core.skills.match import SkillMatcher
from dataagent_core.subagents import built_in_subagents
from dataagent_core.subagents.subagent_matcher import SubAgentMatcher


class Counting:
    """An embedder that counts what it is asked."""

    name = "counting"

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.texts += texts
        await asyncio.sleep(0)
        return [array("f", [1.0]) for _ in texts]


def make_documents(word: str = "bills") -> tuple[MatchDocument, ...]:
    return (MatchDocument(key="a", name="a", description=f"Handles {word} of suppliers"),)


def test_equal_documents_share_an_index_and_others_or_another_embedder_do_not():
    embedder = Counting()
    assert find_index(make_documents(), embedder) is find_index(make_documents(), embedder)
    assert find_index(make_documents(), embedder) is not find_index(make_documents("x"), embedder)
    assert find_index(make_documents(), embedder) is not find_index(make_documents(), Counting())


async def test_agents_with_the_same_sub_agents_embed_them_once():
    embedder = Counting()
    for message in ("search the web", "review this"):
        await SubAgentMatcher(built_in_subagents(), embedder).route(message)
    assert len(embedder.texts) == len(set(embedder.texts))
    assert embedder.texts[-1] == "review this"


async def test_skills_of_two_tenants_that_are_described_alike_keep_their_own_ids():
    embedder = Counting()
    for tenant in ("one", "other"):
        own = Skill(id=tenant, name="bills", description="Pays bills", content=f"Of {tenant}.")
        (found,) = await SkillMatcher([own], embedder).match("please pay bills")
        assert found.skill is own
    assert embedder.texts.count("Pays bills") == 1


def test_event_loops_of_several_threads_use_one_index():
    embedder, begin = KeptVectors(Counting(), texts_max=2), Barrier(4)

    def work(number: int) -> int:
        begin.wait()

        async def rank() -> int:
            index = find_index(make_documents("threads"), embedder)
            found = [await index.rank(f"suppliers {number} {n}", wait_s=30) for n in range(50)]
            return sum(one.semantic_score is not None for (one,) in found)

        return asyncio.run(rank())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [50] * 4


def test_equal_settings_share_an_embedder():
    own = {"embedding_model": "openai:m", "embedding_base_url": "http://127.0.0.1:9/v1"}
    assert resolve_embedder(Settings()) is resolve_embedder(Settings())
    one = resolve_embedder(Settings.model_validate(own))
    assert resolve_embedder(Settings.model_validate(own)) is one
    key = {"openai_api_key": "another"}
    assert resolve_embedder(Settings.model_validate({**own, **key})) is not one


async def test_a_message_that_says_nothing_costs_no_embedding_but_may_have_a_pattern():
    embedder = Counting()
    document = MatchDocument(
        key="a", description="Handles bills", patterns=(WeightedPattern(pattern="go on"),)
    )
    index = find_index((document,), embedder)
    assert await index.rank("hi, can you help me?") == []
    (found,) = await index.rank("Go on!")
    assert (found.is_match, found.semantic_score, embedder.texts) == (True, None, [])
    assert found.reason == "The message matches the pattern 'go on'."
    (found,) = await index.rank("go on with the bills")
    assert found.semantic_score is not None
