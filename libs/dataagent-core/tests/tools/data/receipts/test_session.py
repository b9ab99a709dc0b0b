"""The tracer of a session: what its log names, and what of it is still there and the same."""

from pathlib import Path
from typing import Any

import pytest
from kept_results import kept, query_event

from dataagent_core.events import ToolResultEvent
from dataagent_core.session.stores.memory import MemoryEventLog
from dataagent_core.tools.data.receipts.result_facts import read_result_facts
from dataagent_core.tools.data.receipts.result_ledger import ResultLedger
from dataagent_core.tools.data.receipts.session_tracer import SessionTracer
from dataagent_core.tools.data.receipts.trace_values import TraceResult
from dataagent_core.tools.data.results.result_store import FolderResultStore

SALES: dict[str, list[Any]] = {"region": ["East", "West"], "orders": [120, 80]}


@pytest.fixture
def results(tmp_path: Path) -> FolderResultStore:
    return FolderResultStore(tmp_path / "results")


@pytest.fixture
def log() -> MemoryEventLog:
    return MemoryEventLog()


def output(name: str, text: str, status: str = "success") -> ToolResultEvent:
    return ToolResultEvent(tool_call_id="c", tool_name=name, result=text, status=status)


def texts(items: list[Any]) -> list[str]:
    return [item["text"] for item in items]


async def test_results_of_earlier_runs_count(results: FolderResultStore, log: MemoryEventLog):
    made = await kept(results, SALES)
    await log.append("s", "run 1", [query_event(made)])
    await log.append("s", "run 2", [output("ls", "nothing")])
    answer = await SessionTracer(log, lambda: results).trace("s", "East 120, West 81")
    assert texts(answer.figures) == ["120"]
    assert answer.figures[0]["result_id"] == made.result_id  # type: ignore[index, call-overload]
    assert texts(answer.unsourced) == ["81"]


async def test_another_sessions_results_do_not_count(
    results: FolderResultStore, log: MemoryEventLog
):
    await log.append("other", "run", [query_event(await kept(results, SALES))])
    assert await SessionTracer(log, lambda: results).trace("s", "East 120") == TraceResult()


async def test_a_session_without_data_is_left_alone(
    results: FolderResultStore, log: MemoryEventLog
):
    await log.append("s", "run", [output("read_file", "1\t4711"), output("shell", "4712")])
    assert await SessionTracer(log, lambda: results).trace("s", "It has 815 lines") == TraceResult()


async def test_what_code_printed_is_seen_and_a_models_own_words_are_not(
    results: FolderResultStore, log: MemoryEventLog
):
    events = [
        output("code_executor", "mean 41.25"),
        output("task", "the sub-agent says 97531"),
        output("write_file", "wrote 86420 bytes"),
        output("mcp__weather__get", '{"mm": 12345}'),
        output("code_executor", "failed at 55555", status="error"),
    ]
    await log.append("s", "run", events)
    text = "The mean is 41.25, the rain 12,345; also 97,531, 86,420 and 55,555."
    answer = await SessionTracer(log, lambda: results).trace("s", text)
    assert texts(answer.figures) == ["41.25", "12,345"]
    assert texts(answer.unsourced) == ["97,531", "86,420", "55,555"]


async def test_a_result_that_is_gone_or_changed_is_not_checked(
    results: FolderResultStore, log: MemoryEventLog, tmp_path: Path
):
    gone, changed = await kept(results, SALES), await kept(results, SALES)
    await log.append("s", "run", [query_event(gone), query_event(changed)])
    await results.remove(gone.result_id)
    other = await kept(results, {"region": ["East", "West"], "orders": [121, 80]})
    (await results.path(changed.result_id)).write_bytes(
        (await results.path(other.result_id)).read_bytes()
    )
    answer = await SessionTracer(log, lambda: results).trace("s", "East had 121 orders")
    assert answer.figures == []
    assert [item["reason"] for item in answer.unsourced] == ["not_checked"]  # type: ignore[index, call-overload]


async def test_a_truncated_result_is_known_to_be_one(
    results: FolderResultStore, log: MemoryEventLog
):
    made = await kept(results, SALES, truncated=True)
    await log.append("s", "run", [query_event(made)])
    answer = await SessionTracer(log, lambda: results).trace("s", "In total 200 orders")
    assert texts(answer.unsourced) == ["200"]


async def test_a_long_log_is_read_to_its_end(results: FolderResultStore, log: MemoryEventLog):
    made = await kept(results, SALES)
    await log.append("s", "run", [output("ls", str(n)) for n in range(350)])
    await log.append("s", "run", [query_event(made)])
    assert texts((await SessionTracer(log, lambda: results).trace("s", "East 120")).figures) == [
        "120"
    ]


def test_the_same_result_met_again_is_one_and_the_newest():
    ledger = ResultLedger().adding(
        ToolResultEvent(
            tool_name="sql_query",
            receipt={
                "result": {
                    "result_id": f"r_{name * 12}",
                    "source": "shop",
                    "sql": "SELECT 1",
                    "sha256": "",
                    "row_count": 1,
                    "truncated": False,
                }
            },
        )
        for name in "aba"
    )
    assert [one.result_id[2] for one in ledger.results] == ["a", "b"]


@pytest.mark.parametrize(
    "attached",
    [None, 5, {}, {"result_id": "r_x"}, {"result_id": object(), "sql": "", "sha256": ""}],
)
def test_what_does_not_look_like_a_result_is_no_receipt(attached: Any):
    assert read_result_facts({"result": attached}) is None
