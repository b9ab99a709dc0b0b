"""Who gets a message: rules, then the score, then a model; a person's word counts most."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.language.chinese import in_chinese
from dataagent_core.subagents.built_in_subagents import built_in_subagents
from dataagent_core.subagents.mentions import read_mentions
from dataagent_core.subagents.message_parts import split_message
from dataagent_core.subagents.route import Route, SubAgentScore
from dataagent_core.subagents.router import route
from dataagent_core.subagents.router_question import make_router_question, read_router_answer
from dataagent_core.subagents.subagent import SubAgent, SubAgentTrigger
from tests.counts import examples

BUILT_IN = built_in_subagents()


def make(name: str, **fields: object) -> SubAgent:
    trigger = SubAgentTrigger(description=f"does {name}")
    return replace(
        SubAgent(id=name, name=name, trigger=trigger, system_prompt="p"),
        **fields,  # pyright: ignore[reportArgumentType]
    )


ANY = [make("one"), make("two"), make("three")]


def scores(**given: float) -> dict[str, SubAgentScore]:
    return {name: SubAgentScore(score, score, None, "why") for name, score in given.items()}


def test_a_name_in_the_message_decides():
    found = route("请 @two帮我看看", ANY, scores(one=0.9))
    assert (found.chosen, found.decided_by, found.confidence) == (("two",), "rules", 1.0)


def test_whom_a_message_forbids_is_not_chosen():
    found = route("don't use @one or @two, mend it", ANY, scores(one=0.9, two=0.9, three=0.6))
    assert found.chosen == ("three",)


@pytest.mark.requirement("S2-5.1-subagent-router")
def test_a_keyword_of_several_words_that_only_one_has_decides():
    found = route("Please do a code review of main.py", BUILT_IN, {})
    assert (found.chosen, found.decided_by) == (("code-reviewer",), "rules")
    assert route("帮我做一次代码审查", BUILT_IN, {}).chosen == ("code-reviewer",)
    # One word is no rule.
    assert route("how is implement spelled", BUILT_IN, {}).decided_by == "none"


def test_a_long_message_is_read_at_both_ends():
    pasted = "x = 1\n" * 5_000
    for message in (f"a code review please\n{pasted}", f"{pasted}\na code review please"):
        assert route(message, BUILT_IN, {}).chosen == ("code-reviewer",)
        assert "code review" in make_router_question(message, unsure(), ANY).user
        assert split_message(f"{message}\nthen deploy it").order == "sequential"


@pytest.mark.parametrize(
    "message",
    [
        "don't do a code review, just format the file",
        "请不要做代码审查\uff0c直接改代码",
        "format the file without a code review",
        "I do not want\na code review",
        "不需要代码审查",
    ],
)
def test_a_keyword_that_is_refused_takes_its_sub_agent_out_of_the_choice(message: str):
    found = route(message, BUILT_IN, scores(**{"code-reviewer": 1.0, "coder-agent": 0.3}))
    assert "code-reviewer" not in found.chosen
    assert found.decided_by != "rules"
    excluded = {one.name: one.excluded for one in found.candidates}
    assert excluded["code-reviewer"].startswith("the message does not want ")
    named = route(f"@code-reviewer look at it. {message}", BUILT_IN, {})
    assert named.chosen == ("code-reviewer",)


@pytest.mark.parametrize(
    "message",
    [
        "There was no code review so far, do one now",
        "why has there been no code review? do it",
        "还没有做代码审查\uff0c请做一下",
        "我不会做代码审查\uff0c帮我做",
        "I can't do a code review, do it for me",
    ],
)
def test_a_fact_about_a_keyword_leaves_its_sub_agent_in_the_choice(message: str):
    found = route(message, BUILT_IN, scores(**{"code-reviewer": 0.9}))
    assert (found.chosen, found.decided_by) == (("code-reviewer",), "score")


def test_a_keyword_is_found_as_whole_words_across_lines_and_as_an_expression():
    trigger = SubAgentTrigger(description="d", keywords=("mend it", "/tune +(up|down)/"))
    one = [make("one", trigger=trigger)]
    assert route("please MEND\n  it", one, {}).decided_by == "rules"
    assert route("Tune  up x", one, {}).decided_by == "rules"
    assert route("commend it, mend items", one, {}).decided_by == "none"


@pytest.mark.parametrize(
    ("message", "chosen", "decided_by"),
    [
        ("don't hurry, do a code review", ("code-reviewer",), "rules"),
        ("the tests don't pass, fix the failing test", ("coder-agent",), "rules"),
        ("不要重构\uff0c先做代码审查", ("code-reviewer",), "rules"),
        ("no code review yet; later a code review", ("code-reviewer",), "rules"),
        # It may be refused, or not: the score decides.
        ("I don't know how to fix the failing test", ("coder-agent",), "score"),
    ],
)
def test_a_negation_of_something_else_leaves_a_keyword(
    message: str, chosen: tuple[str, ...], decided_by: str
):
    found = route(message, BUILT_IN, scores(**{chosen[0]: 0.9}))
    assert (found.chosen, found.decided_by) == (chosen, decided_by)


@pytest.mark.requirement("S2-9.3-single")
def test_a_score_decides_when_it_is_high_and_well_ahead():
    sure = route("x", ANY, scores(one=0.8, two=0.4))
    assert (sure.chosen, sure.decided_by, sure.is_unsure) == (("one",), "score", False)
    assert [one.name for one in sure.candidates] == ["one", "two", "three"]
    assert route("x", ANY, scores(one=0.8, two=0.78)).is_unsure
    assert route("mend engines", ANY, scores(one=0.45)).is_unsure
    assert not route("mend it", ANY, scores(one=0.45)).chosen


def test_nobody_fits_is_said_clearly():
    nobody = route("x", ANY, scores(one=0.05))
    assert (nobody.chosen, nobody.decided_by, nobody.is_unsure) == ((), "none", False)
    assert nobody.reason == "No sub-agent fits: the best is one with 0.05."
    empty = route("x", [], {})
    assert empty.reason == "There is no sub-agent that could be chosen."
    missing = route("x", ANY, {}, use=["four"])
    assert missing.reason == "four was asked for, but there is no such sub-agent."


@pytest.mark.requirement("S2-C.2.6")
def test_who_lacks_tools_is_disabled_or_hidden_is_told_why():
    able = make("able")
    subagents = [
        able,
        make("hidden", hidden=True),
        make("off", enabled=False),
        make("poor", requires_tools=("memory_search",)),
    ]
    high = scores(able=0.5, hidden=0.9, off=0.9, poor=0.9)
    found = route("x", subagents, high, tools={"shell"})
    assert found.chosen == ("able",)
    excluded = {one.name: one.excluded for one in found.candidates if one.excluded}
    assert excluded == {
        "hidden": "it is hidden: it is only chosen by its name.",
        "off": "it is disabled.",
        "poor": "it needs the tools memory_search, which this agent does not have.",
    }
    assert route("@hidden @off", subagents, {}).chosen == ("hidden",)


def test_who_has_nothing_to_work_on_is_chosen_only_by_name():
    subagents = [make("able"), make("idle", requires_tools=("memory_search",))]
    given = scores(able=0.5, idle=0.9)
    found = route("x", subagents, given, idle_tools={"memory_search"})
    assert found.chosen == ("able",)
    (idle,) = (one for one in found.candidates if one.name == "idle")
    assert idle.excluded == "its tools have nothing to work on yet: it is only chosen by its name."
    assert in_chinese(idle.excluded) == "它的工具目前没有可以处理的内容:只能按名称选用。"
    assert route("@idle x", subagents, given, idle_tools={"memory_search"}).chosen == ("idle",)
    assert route("x", subagents, given).chosen == ("idle",)


@pytest.mark.parametrize(
    ("message", "mode"),
    [
        ("@one do this", "single"),
        ("@one and @two look at it", "parallel"),
        ("@one researches prices and then @two writes the report", "sequential"),
        ("先让 @one 查资料,然后 @two 写报告", "sequential"),
        ("@one fixes it, at the same time @two writes docs", "parallel"),
        ("@one leads, @two helps", "hierarchical"),
        ("由 @one 牵头,@two 配合", "hierarchical"),
    ],
)
def test_the_mode_follows_the_words_that_join_tasks(message: str, mode: str):
    assert route(message, ANY, {}).mode == mode


def test_a_long_sequence_keeps_the_order_in_which_the_person_named_it():
    names = [f"n{number}" for number in range(10)][::-1]
    message = ", then ".join(f"@{name} works" for name in names)
    found = route(message, [make(name) for name in sorted(names)], {})
    assert (found.mode, found.chosen) == ("sequential", tuple(names))


def test_a_sequence_of_many_parts_goes_to_those_that_fit_them_in_their_order():
    names = [f"n{number}" for number in range(6)][::-1]
    subagents = [make(name) for name in sorted(names)]
    message = " then ".join("do some work" for _ in names)
    parts = [scores(**{name: 0.8}) for name in names]
    found = route(message, subagents, scores(), part_scores=parts)
    assert (found.mode, found.chosen) == ("sequential", tuple(names))


def test_who_may_not_delegate_does_not_lead():
    subagents = [make("one", allowed_tools=("read_file",)), make("two")]
    assert route("@one leads, @two helps", subagents, {}).mode == "parallel"


def test_the_built_in_coder_may_lead():
    found = route("@coder-agent leads, with @code-reviewer", BUILT_IN, {})
    assert (found.mode, found.chosen) == ("hierarchical", ("coder-agent", "code-reviewer"))


def test_each_part_of_a_message_gets_its_own():
    message = "research the prices, then fix the parser"
    parts = [scores(one=0.8), scores(two=0.7)]
    found = route(message, ANY, scores(one=0.5, two=0.5), part_scores=parts)
    assert (found.mode, found.chosen, found.confidence) == ("sequential", ("one", "two"), 0.7)
    same = route(message, ANY, scores(one=0.8), part_scores=[scores(one=0.8), scores(one=0.9)])
    assert (same.mode, same.chosen) == ("single", ("one",))
    unsure = route(message, ANY, scores(one=0.8), part_scores=[scores(one=0.8), scores(two=0.2)])
    assert unsure.chosen == ("one",)


def test_a_list_has_independent_parts():
    assert split_message("1. read the logs\n2. write a test\n") == (
        ("read the logs", "write a test"),
        "parallel",
    )
    assert split_message("just this") == (("just this",), None)


def unsure() -> Route:
    return route("mend engines", [*ANY, make("off", enabled=False)], scores(one=0.45, two=0.44))


def test_a_model_is_asked_about_those_that_could_be_chosen():
    found = unsure()
    asked = json.loads(make_router_question("ignore all that", found, ANY).user)
    assert asked["message"] == "ignore all that"
    assert [one["name"] for one in asked["specialists"]] == ["one", "two", "three"]


def test_the_answer_of_a_model_decides():
    said = 'Sure:\n```json\n{"subagents": ["two"], "confidence": 0.8, "reason": "fits"}\n```'
    found = read_router_answer(said, "x", unsure(), ANY)
    assert (found.chosen, found.decided_by) == (("two",), "model")
    assert (found.confidence, found.reason, found.is_unsure) == (0.8, "fits", False)
    nobody = read_router_answer('{"subagents": []}', "x", unsure(), ANY)
    assert (nobody.chosen, nobody.decided_by, nobody.confidence) == ((), "model", 0.7)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("I would take two.", "there is no JSON object in it"),
        ("{not json}", "there is no JSON object in it"),
        ('{"agent": "two"}', "it lists no sub-agents"),
        ('{"subagents": ["rm -rf"]}', "it names 'rm -rf', which was not offered"),
        ('{"subagents": ["off"]}', "it names 'off', which was not offered"),
    ],
)
def test_nonsense_of_a_model_leaves_the_choice_of_the_score(answer: str, problem: str):
    found = read_router_answer(answer, "x", unsure(), ANY)
    assert (found.chosen, found.decided_by, found.is_unsure) == (("one",), "score", False)
    assert found.reason.endswith(f"The model's answer could not be used: {problem}.")


Case = tuple[str, list[SubAgent], dict[str, SubAgentScore], list[str], set[str]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    names = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1))
    subagents = [
        make(name, hidden=draw(st.booleans()), enabled=draw(st.booleans())) for name in names
    ]
    given = scores(**{name: draw(st.floats(0, 1)) for name in names})
    use = draw(st.lists(st.sampled_from(names), unique=True, max_size=3))
    forbid = draw(st.sets(st.sampled_from(names)))
    joined = draw(st.sampled_from([" ", " then ", " 同时 "]))
    message = joined.join(draw(st.lists(st.sampled_from(["work", "@a", "@b"]), max_size=3)))
    return message, subagents, given, use, forbid


@given(cases(), st.text(max_size=80))
@settings(max_examples=examples(150))
def test_nobody_is_chosen_against_a_person_and_whoever_is_wanted_is(case: Case, said: str):
    message, subagents, given, use, forbid = case
    known = {one.name: one for one in subagents}
    found = route(message, subagents, given, use=use, forbid=forbid)
    assert not set(found.chosen) & forbid
    assert all(known[name].enabled for name in found.chosen)
    wanted = {*use, *read_mentions(message, known).use}
    for name in wanted:
        assert (name in found.chosen) == (known[name].enabled and name not in forbid)
    if not wanted:
        assert not any(known[name].hidden for name in found.chosen)
    assert 0 <= found.confidence <= 1
    assert bool(found.chosen) == (found.decided_by != "none")
    assert found == route(message, subagents[::-1], given, use=use, forbid=forbid)
    answered = read_router_answer(said, message, found, subagents)
    assert not set(answered.chosen) & forbid
