"""The data tools through whole runs of an agent: preview, receipt, foresight, export."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted
from langchain_core.messages import ToolMessage
from query_services import Listed

from dataagent_core.config.limits import data
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.data import query_service as desk_module
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.results import FolderResultStore
from dataagent_core.tools.data.sources.source_kinds import make_source_spec


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "sales.csv").write_text("region,email,amount\nEast,a@x.org,10\nWest,b@x.org,32\n")
    return tmp_path


def query(sql: str, source: str = "/sales.csv") -> dict[str, Any]:
    return {"tool_calls": [{"name": "sql_query", "args": {"source": source, "sql": sql}}]}


def results(events: list[Any]) -> list[Any]:
    return [event for event in events if event.event_type == "tool_result"]


async def test_a_file_of_the_workspace_is_queried_without_asking(workspace: Path):
    person = Answering()
    model = scripted(query("SELECT sum(amount) AS total FROM sales"), {"text": "42"})
    events = await events_of(executor(model, workspace, handler=person))
    (result,) = results(events)
    assert result.status == "success"
    assert "total\n42\n" in result.result
    assert result.receipt["result"]["row_count"] == 1
    assert len(result.receipt["result"]["sha256"]) == 64
    assert person.asked == []


DIRTY = "day,who,amount\n" + "2025-01-02,Ann,10\n" * 50 + "2025-01-03,Smith, John,32\nTotal,,532\n"


async def test_lines_left_out_are_said_in_the_description_the_result_and_the_receipt(
    workspace: Path,
):
    (workspace / "sales.csv").write_text(DIRTY)
    describe = {"name": "data_describe", "args": {"source": "/sales.csv", "table": "sales"}}
    model = scripted(
        {"tool_calls": [describe]},
        query("SELECT sum(amount) AS total, count(*) AS n FROM sales"),
        {"text": "532"},
    )
    described, asked = results(await events_of(executor(model, workspace)))
    assert "total,n\n532,51\n" in asked.result
    for said in (
        "1 line with a separator too many is joined (line 52: ",
        "1 line of a footer is left out (line 53: ",
    ):
        assert said in described.result
        assert said in asked.result
        assert any(said in note for note in asked.receipt["result"]["notes"])
    # The model is told that there are such lines, not what people wrote in them.
    assert "John" not in described.result + asked.result
    assert "Smith, John" in "".join(asked.receipt["result"]["notes"])


async def test_a_result_of_a_result_says_how_the_file_behind_it_was_read(workspace: Path):
    (workspace / "sales.csv").write_text(DIRTY)
    first = {"source": "/sales.csv", "sql": "SELECT * FROM sales"}
    model = scripted({"tool_calls": [{"name": "sql_query", "args": first}]}, {"text": "ok"})
    stores = Stores.in_memory()
    (asked,) = results(await events_of(executor(model, workspace, stores=stores)))
    result_id = asked.receipt["result"]["result_id"]
    again = scripted(query(f"SELECT sum(amount) FROM {result_id}", "results"), {"text": "ok"})
    (asked,) = results(await events_of(executor(again, workspace, stores=stores)))
    assert "1 line of a footer is left out" in asked.result


async def test_the_model_reads_no_personal_value(workspace: Path):
    model = scripted(query("SELECT * FROM sales"), {"text": "ok"})
    (result,) = results(await events_of(executor(model, workspace)))
    assert "x.org" not in result.result
    assert "East,[email " in result.result


async def test_an_expensive_query_is_put_to_a_person_with_the_reason(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(desk_module, "QUERY_ROWS_ASK", 0)
    person = Answering({"type": "respond", "message": "too much"})
    model = scripted(query("SELECT * FROM sales"), {"text": "ok"})
    events = await events_of(executor(model, workspace, handler=person))
    assert "expects this query to go through about" in str(person.asked[0].get("reason"))
    assert results(events)[0].status == "error"


async def test_refused_sql_is_never_put_to_a_person(workspace: Path):
    person = Answering()
    model = scripted(query("DROP TABLE sales"), {"text": "ok"})
    events = await events_of(executor(model, workspace, handler=person))
    assert results(events)[0].status == "error"
    assert person.asked == []


@pytest.mark.parametrize("path", ["/etc/passwd", "../sales.csv", "/link.csv", "/nope.csv"])
async def test_a_file_outside_the_workspace_is_no_source(workspace: Path, path: str):
    (workspace / "link.csv").symlink_to("/etc/hostname")
    model = scripted(query("SELECT 1", source=path), {"text": "ok"})
    (result,) = results(await events_of(executor(model, workspace)))
    assert "There is no source" in result.result


async def test_sources_are_listed_and_an_export_is_an_artifact(workspace: Path):
    listing = {"tool_calls": [{"name": "data_list_sources", "args": {}}]}
    model = scripted(listing, query("SELECT region, email FROM sales"), {"text": "ok"})
    events = await events_of(executor(model, workspace))
    assert "/sales.csv" in results(events)[0].result
    result_id = results(events)[1].receipt["result"]["result_id"]
    export = {"tool_calls": [{"name": "result_export", "args": {"result_id": result_id}}]}
    events = await events_of(executor(scripted(export, {"text": "ok"}), workspace))
    (result,) = results(events)
    assert result.artifacts[0]["path"] == f"/outputs/{result_id}.csv"
    assert "x.org" not in (workspace / "outputs" / f"{result_id}.csv").read_text()


@pytest.fixture
def many(workspace: Path) -> Path:
    """More rows than a result keeps, the last of them with an address."""
    lines = [f"{n},{'a@x.org' if n == 11_999 else f'row {n}'}\n" for n in range(12_000)]
    (workspace / "many.csv").write_text("n,note\n" + "".join(lines))
    return workspace


def exporting(result_id: str, **more: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": "result_export", "args": {"result_id": result_id, **more}}]}


async def cut_result(workspace: Path) -> str:
    model = scripted(query("SELECT n, note FROM many ORDER BY n", "/many.csv"), {"text": "ok"})
    (result,) = results(await events_of(executor(model, workspace)))
    assert result.receipt["result"]["truncated"]
    return result.receipt["result"]["result_id"]


async def test_an_export_holds_all_rows_of_a_cut_result_and_masks_them(many: Path):
    result_id = await cut_result(many)
    model = scripted(exporting(result_id), exporting(result_id, rows="kept"), {"text": "ok"})
    whole, cut = results(await events_of(executor(model, many)))
    assert whole.result.startswith("Wrote 12000 rows to /outputs/")
    assert cut.result.startswith("Wrote only the first 10000 rows of more to /outputs/")
    model = scripted(exporting(result_id), {"text": "ok"})
    await events_of(executor(model, many))
    lines = (many / "outputs" / f"{result_id}.csv").read_text().splitlines()
    assert len(lines) == 12_001
    assert "a@x.org" not in lines[-1]


async def test_an_export_whose_query_cannot_run_again_says_so_and_how_to_have_the_kept_rows(
    many: Path,
):
    result_id = await cut_result(many)
    (many / "many.csv").unlink()
    model = scripted(exporting(result_id), {"text": "ok"})
    (refused,) = results(await events_of(executor(model, many)))
    (told,) = [m.text for m in model.requests[-1] if isinstance(m, ToolMessage)]
    assert refused.status == "error"
    assert "keeps only the first 10000 rows, and its query cannot be run again" in refused.result
    assert "rows='kept'" in told
    assert not (many / "outputs").exists()


async def test_an_export_that_runs_an_expensive_query_again_is_asked_about(
    many: Path, monkeypatch: pytest.MonkeyPatch
):
    result_id = await cut_result(many)
    monkeypatch.setattr(desk_module, "QUERY_ROWS_ASK", 0)
    person = Answering()
    model = scripted(exporting(result_id), exporting(result_id, rows="kept"), {"text": "ok"})
    await events_of(executor(model, many, handler=person))
    assert len(person.asked) == 1


def test_the_limits_of_asking_are_beyond_any_laptop_sized_table():
    assert data.QUERY_ROWS_ASK > 10_000_000


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT CAST(email AS INTEGER) FROM sales",  # fails while it runs
        "SELECT * FROM sales WHERE secret = 1",  # is refused before
    ],
)
async def test_a_person_reads_an_error_in_full_and_a_model_what_it_may(workspace: Path, sql: str):
    (workspace / "sales.csv").write_text("region,email,secret\nEast,a@x.org,1\n")
    spec = replace(
        make_source_spec("shop", str(workspace / "sales.csv"), None), hidden=("sales.secret",)
    )
    access = DataAccess(sources=Listed(spec), results=FolderResultStore(workspace / "results"))
    model = scripted(query(sql, source="shop"), {"text": "ok"})
    (result,) = results(await events_of(executor(model, workspace, data=access)))
    (told,) = [m.text for m in model.requests[-1] if isinstance(m, ToolMessage)]
    assert result.status == "error"
    assert ("a@x.org" in result.result) or ("is hidden" in result.result)
    assert "a@x.org" not in told
    assert "is hidden:" not in told
