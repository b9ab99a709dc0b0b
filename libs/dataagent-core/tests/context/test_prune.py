"""S2 §5.2.10 `pruneToolOutputs`: what is left out, and what is protected."""

from typing import Any

import pytest
from histories import number
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from dataagent_core.context import CompactionResult, prune_tool_outputs
from dataagent_core.context.compaction.prune import make_pruned_message, old_images
from dataagent_core.context.context_record import ContextRecord
from dataagent_core.context.view import block_message

LONG = "word " * 10_000  # 12,500 tokens


def turn(n: int, text: str = LONG, **more: Any) -> list[BaseMessage]:
    args = more.pop("args", {})
    call = {"name": more.get("name", "grep"), "args": args, "id": f"call{n}"}
    result = {"content": text, "tool_call_id": f"call{n}", "name": "grep"} | more
    return [
        HumanMessage(content=f"question {n}"),
        AIMessage(content="", tool_calls=[call]),
        ToolMessage(**result),
        AIMessage(content=f"answer {n}"),
    ]


def turns(count: int, **more: Any) -> list[BaseMessage]:
    return number([message for n in range(count) for message in turn(n, **more)])


class TestPruneToolOutputs:
    @pytest.mark.requirement("S2-5.2.10-prune")
    @pytest.mark.requirement("F7-2")
    def test_what_is_older_than_the_protected_results_is_left_out(self) -> None:
        # Turns 8 and 9 are protected as the last two, 5 to 7 by their 40,000 tokens.
        found = prune_tool_outputs(turns(10))
        assert found.pruned == tuple(4 * n + 2 for n in range(5))
        assert 5 * 12_400 < found.tokens_saved < 5 * 12_510

    def test_where_it_is_switched_off_nothing_is(self) -> None:
        assert prune_tool_outputs(turns(10), enabled=False) == CompactionResult()

    @pytest.mark.requirement("S2-5.2.10-prune-minimum")
    def test_where_too_little_is_won_nothing_is(self) -> None:
        # Turn 0 is beyond the protected ones, but 12,500 tokens are not worth it.
        assert not prune_tool_outputs(turns(6)).was_compacted

    @pytest.mark.requirement("S2-5.2.10-prune-turns")
    def test_the_last_two_turns_are_protected_whatever_they_cost(self) -> None:
        assert not prune_tool_outputs(turns(2, text=LONG * 20)).was_compacted

    def test_one_long_turn_is_left_alone(self) -> None:
        calls = [message for n in range(20) for message in turn(n)[1:]]
        assert not prune_tool_outputs(number([HumanMessage(content="go"), *calls])).was_compacted

    @pytest.mark.parametrize(
        "path",
        ["/skills/project/x/SKILL.md", "skills/tenant/x/more.md", "//skills/./project/x/a"],
    )
    def test_what_was_read_of_a_skill_is_never_left_out(self, path: str) -> None:
        read = turns(10, name="read_file", args={"file_path": path})
        assert not prune_tool_outputs(read).was_compacted

    @pytest.mark.parametrize(
        "args",
        [{"file_path": "/a.txt"}, {"file_path": "/skills/mine.md"}, {"file_path": None}, {}],
    )
    def test_what_was_read_of_another_file_is(self, args: dict[str, Any]) -> None:
        assert prune_tool_outputs(turns(10, name="read_file", args=args)).was_compacted

    def test_an_error_is_never_left_out(self) -> None:
        assert not prune_tool_outputs(turns(10, status="error")).was_compacted

    @pytest.mark.requirement("S2-5.2.10-prune-stop")
    def test_a_summary_stops_the_search(self) -> None:
        block = block_message(ContextRecord(block="earlier"))
        assert not prune_tool_outputs([*turns(7), block, *turns(3)]).was_compacted

    def test_a_reference_stops_the_search(self) -> None:
        messages = turns(10)
        messages[18] = make_pruned_message(messages[18], 12_500, 7)
        assert not prune_tool_outputs(messages).was_compacted

    def test_a_smaller_window_protects_less(self) -> None:
        # 31 % of 32,000 is less than one result: all but the last two turns go.
        assert len(prune_tool_outputs(turns(10), window_tokens=32_000).pruned) == 8

    def test_answers_and_questions_are_never_touched(self) -> None:
        messages = turns(10)
        pruned = prune_tool_outputs(messages, window_tokens=32_000).pruned
        assert all(isinstance(messages[position], ToolMessage) for position in pruned)


class TestCompactionResult:
    def test_nothing_is_no_compaction(self) -> None:
        assert not CompactionResult().was_compacted
        assert CompactionResult().tokens_saved == 0

    @pytest.mark.requirement("S2-5.2.10-result")
    def test_it_names_what_to_leave_out(self) -> None:
        assert CompactionResult(pruned=(1, 2), tokens_saved=9).was_compacted


def test_a_reference_says_what_it_was_and_how_to_read_it() -> None:
    shown = make_pruned_message(turns(1)[2], 12_340, 123)
    assert shown.content == "[result of grep, 12,340 tokens, left out; recall(123) shows it]"
    assert isinstance(shown, ToolMessage)
    assert shown.tool_call_id == "call0"


def test_only_images_before_the_last_two_turns_are_old() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
    people = number([HumanMessage(content=["look", image]) for _ in range(4)])
    assert old_images(people) == [0, 1]
