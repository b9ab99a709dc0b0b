"""Which skills a message is matched to, by words, by meaning and by both, and why."""

import asyncio
from array import array
from collections.abc import Sequence
from typing import Any

import pytest

from dataagent_core.config.limits.match import MATCH_RETRY_S
from dataagent_core.config.limits.skills import SKILL_PATTERNS_MAX, SKILL_PHRASES_MAX
from dataagent_core.errors import ModelUnavailableError
from dataagent_core.language.chinese import in_chinese
from dataagent_core.models.embeddings import HybridIndex
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_core.skills import Skill, SkillSet, SkillTrigger, TriggerPattern, TriggerType
from dataagent_core.skills.match import SkillMatcher, SkillMatchers
from dataagent_core.skills.match.skill_matcher import to_document


def skill(name: str, description: str, **given: Any) -> Skill:
    trigger = SkillTrigger(
        type=given.pop("type", "hybrid"),
        phrases=given.pop("phrases", ()),
        patterns=given.pop("patterns", ()),
    )
    return Skill(id=name, name=name, description=description, content="", trigger=trigger, **given)


INVOICES = skill(
    "invoice-handling", "Reads bills and receipts of suppliers.", phrases=("处理发票", "pay a bill")
)
TRIPS = skill("travel-planning", "Plans trips, hotels and flights.", phrases=("安排出差",))
SKILLS = (INVOICES, TRIPS)


async def names(message: str, *skills: Skill) -> list[str]:
    matcher = SkillMatcher(skills or SKILLS, WordLlamaEmbedder())
    return [each.skill.name for each in await matcher.match(message)]


async def test_words_and_chinese_find_their_skill_and_others_find_none():
    assert await names("please pay the bill of our supplier") == ["invoice-handling"]
    assert await names("请帮我处理一下这张发票") == ["invoice-handling"]
    assert await names("帮我安排下周的出差") == ["travel-planning"]
    assert await names("tell me a joke") == []
    assert await names("") == []


@pytest.mark.parametrize("filler", ["the sky is blue above green hills. ", "天空很蓝。"])
async def test_a_long_message_is_read_at_both_ends(filler: str):
    pasted = filler * (10_000 // len(filler))
    for request in ("please pay the bill of our supplier", "请帮我处理一下这张发票"):
        for message in (f"{request}\n{pasted}", f"{pasted}\n{request}"):
            assert await names(message) == ["invoice-handling"]


@pytest.mark.requirement("S2-16.6-matching")
async def test_a_trigger_type_decides_what_counts():
    async def scores(kind: TriggerType, message: str) -> tuple[bool, bool, bool]:
        one = skill("clothes", "Buying a pullover", type=kind, phrases=("buy a warm sweater",))
        ranked = await SkillMatcher([one], WordLlamaEmbedder()).rank(message)
        found = ranked[0][0] if ranked else None
        is_match = bool(ranked) and ranked[0][1]
        return is_match, bool(found and found.semantic_score), bool(found and found.keyword_score)

    same_words = "buy a warm sweater"
    near_meaning = "purchase a cosy pullover"
    assert await scores("keyword", same_words) == (True, False, True)
    assert await scores("semantic", same_words) == (True, True, True)
    assert await scores("hybrid", same_words) == (True, True, True)
    assert not (await scores("keyword", near_meaning))[0]
    assert (await scores("semantic", near_meaning))[0]


async def test_a_pattern_counts_by_its_weight():
    def with_weight(weight: float) -> Skill:
        pattern = TriggerPattern(pattern=r"/\bPR\s*#\d+/", weight=weight)
        return skill("code-review", "Reviews changes.", patterns=(pattern,))

    assert await names("what about pr #12?", with_weight(1.0)) == ["code-review"]
    assert await names("what about pr #12?", with_weight(0.1)) == []
    plain = skill("x", "Y.", patterns=(TriggerPattern(pattern="stand-up", weight=1.0),))
    assert await names("notes of the Stand-up", plain) == ["x"]
    assert await names("he stands up", plain) == []
    # Chinese beside an English word ends it.
    assert await names("写stand-up纪要", plain) == ["x"]


async def test_every_trigger_and_pattern_that_a_skill_may_have_is_read():
    phrases = tuple(f"trigger {number}" for number in range(SKILL_PHRASES_MAX - 1))
    many = skill("x", "Y.", phrases=(*phrases, "water the garden"))
    assert await names("please water the garden", many) == ["x"]
    patterns = [TriggerPattern(pattern=f"pattern {n}") for n in range(SKILL_PATTERNS_MAX - 1)]
    last = TriggerPattern(pattern="/stand-?up/", weight=1.0)
    many = skill("x", "Y.", patterns=(*patterns, last))
    assert await names("notes of the standup", many) == ["x"]


async def test_a_pattern_that_cannot_be_used_speaks_for_nothing():
    bad = TriggerPattern(pattern="/(?=a)b/")
    assert (
        await names("pay the bill of a supplier", skill("broken", "z", patterns=(bad,)), TRIPS)
        == []
    )


async def test_a_skill_that_must_be_offered_is_with_its_own_reason():
    always = skill("house-rules", "How we work here.", always_offered=True)
    matcher = SkillMatcher((*SKILLS, always), WordLlamaEmbedder())
    found = await matcher.match("pay a bill", limit=1)
    assert [each.skill.name for each in found] == ["invoice-handling", "house-rules"]
    assert found[1].reason == "Its owner wants it offered always."


async def test_reasons_name_words_and_meaning_in_both_languages():
    (found,) = await SkillMatcher(SKILLS, WordLlamaEmbedder()).match("pay the supplier's bill")
    assert found.reason == (
        "The message has the words 'pay, supplier, bill'. Its meaning is near to 'pay a bill'."
    )
    assert "消息中有词语" in in_chinese(found.reason)
    assert "其含义接近" in in_chinese(found.reason)


async def test_the_matcher_of_a_set_is_kept_and_old_ones_go():
    matchers = SkillMatchers(None, sets_max=2)
    sets = [SkillSet(skills=SKILLS, digest=str(n)) for n in range(3)]
    first = matchers.matcher_for(sets[0])
    assert matchers.matcher_for(sets[0]) is first
    matchers.matcher_for(sets[1])
    matchers.matcher_for(sets[2])
    assert matchers.matcher_for(sets[0]) is not first


class Failing:
    """An embedder that fails until it is told not to."""

    name = "failing"

    def __init__(self) -> None:
        self.calls = 0
        self.works = False

    async def embed(self, texts: Sequence[str]) -> list["array[float]"]:
        self.calls += 1
        if not self.works:
            raise ModelUnavailableError("The embeddings are away.")
        return [array("f", [1.0]) for _ in texts]


async def test_embeddings_that_fail_are_tried_again_after_a_while():
    now, embedder, message = [0.0], Failing(), "pay the bill of a supplier"
    index = HybridIndex(map(to_document, SKILLS), embedder, clock=lambda: now[0])
    (found,) = await index.rank(message)
    assert found.reason.endswith("Only words were compared. The embeddings are away.")
    await index.rank(message)
    assert embedder.calls == 1
    now[0], embedder.works = MATCH_RETRY_S, True
    # A message does not wait for what failed before.
    (found,) = await index.rank(message, wait_s=10)
    assert found.semantic_score is None
    (found, *_) = await index.rank(message)
    assert found.semantic_score is not None


class Slow(Failing):
    """An embedder that answers when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.works = True
        self.may_answer = asyncio.Event()

    async def embed(self, texts: Sequence[str]) -> list["array[float]"]:
        answer = await super().embed(texts)
        await self.may_answer.wait()
        return answer


async def test_who_cannot_wait_gets_words_and_a_set_that_takes_long_is_read_once():
    embedder, message = Slow(), "pay the bill of a supplier"
    matcher = SkillMatcher(SKILLS, embedder)
    for _ in range(3):
        ((found, fits), *_) = await matcher.rank(message, wait_s=0.01)
        assert (found.skill, fits, found.semantic_score) == (INVOICES, True, None)
        assert found.reason.endswith("Only words were compared. Comparing meanings took too long.")
        assert in_chinese(found.reason).endswith("仅比较了词语。比较含义所用时间过长。")
    assert embedder.calls == 1
    embedder.may_answer.set()
    (found, *_) = await matcher.match(message)
    assert found.semantic_score is not None
    assert embedder.calls == 2
