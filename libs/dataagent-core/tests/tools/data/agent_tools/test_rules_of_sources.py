"""Rules about a source hold for everything that reads it: results, reports, the catalogue."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings
from query_services import Listed

from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.results import FolderResultStore
from dataagent_core.tools.data.sources.source_kinds import make_source_spec

METRICS = """
datasets: [{name: pay, source: hr, table: people}]
metrics: [{name: paid, dataset: pay, expr: sum(amount), synonyms: [wages]}]
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for source, table in (("hr", "people"), ("shop", "orders")):
        (tmp_path / source).mkdir()
        (tmp_path / source / f"{table}.csv").write_text("who,amount\nx,1\ny,2\n")
    semantic = tmp_path / "work" / ".dataagent" / "semantic"
    semantic.mkdir(parents=True)
    (semantic / "pay.yml").write_text(METRICS)
    (tmp_path / "work" / "notes.csv").write_text("a\n1\n")
    (tmp_path / "home").mkdir()
    return tmp_path


async def asked(place: Path, *calls: dict[str, Any], rules: str = "", **given: Any) -> list[Any]:
    """Make the calls in one run and give their results."""
    written = [
        f'[[rules]]\ntool = "{tool}"\nresource = "{source}"\naction = "{action}"\n'
        for action, tool, source in (rule.split() for rule in rules.splitlines())
    ]
    (place / "home" / "permissions.toml").write_text("".join(written))
    access = DataAccess(
        sources=Listed(
            *(make_source_spec(name, str(place / name), None) for name in ("hr", "shop"))
        ),
        results=FolderResultStore(place / "results"),
    )
    script = [{"tool_calls": [call]} for call in calls]
    agent = executor(
        scripted(*script, {"text": "ok"}),
        place / "work",
        chosen=settings(home=place / "home"),
        data=access,
        **given,
    )
    try:
        events = await events_of(agent)
    finally:
        await agent.aclose()
    return [event for event in events if event.event_type == "tool_result"]


def query(source: str, sql: str, tool: str = "sql_query") -> dict[str, Any]:
    return {"name": tool, "args": {"source": source, "sql": sql}}


async def made(place: Path, source: str, sql: str) -> str:
    (result,) = await asked(place, query(source, sql))
    return result.receipt["result"]["result_id"]


def readers(result_id: str) -> dict[str, dict[str, Any]]:
    over = f"SELECT amount FROM {result_id}"
    blocks = [{"type": "table", "query": result_id}]
    return {
        "sql_query": query("results", over),
        "sql_check": query("results", over, "sql_check"),
        "result_page": {"name": "result_page", "args": {"result_id": result_id}},
        "result_export": {"name": "result_export", "args": {"result_id": result_id}},
        "chart_create": {"name": "chart_create", "args": {"result_id": result_id}},
        "report_create": {
            "name": "report_create",
            "args": {"title": "Pay", "blocks": blocks, "formats": ["md"]},
        },
    }


@pytest.mark.parametrize("rule", ["deny sql_query hr", "deny data hr"])
async def test_what_a_denied_source_gave_is_denied_too(place: Path, rule: str):
    result_id = await made(place, "hr", "SELECT * FROM people")
    # By way of another result, and beside one that may be read.
    free = await made(place, "shop", "SELECT * FROM orders")
    over = f"SELECT a.amount FROM {result_id} a JOIN {free} b ON a.who = b.who"
    for read in (result_id, await made(place, "results", over)):
        results = await asked(place, *readers(read).values(), rules=rule)
        for name, result in zip(readers(read), results, strict=True):
            assert (name, result.status) == (name, "error")
            assert result.result.startswith(f"{name} is denied: it reads 'hr', and rule: deny")
    allowed = await asked(place, *readers(free).values(), rules=rule)
    assert [result.status for result in allowed] == ["success"] * len(readers(free))
    assert not list((place / "work").glob(f"outputs/{result_id}*"))


async def test_metrics_may_be_read_where_sql_of_ones_own_may_not(place: Path):
    metric = {"name": "metric_query", "args": {"metrics": ["paid"]}}
    (result,) = await asked(place, metric, rules="deny sql_query hr")
    result_id = result.receipt["result"]["result_id"]
    page = {"name": "result_page", "args": {"result_id": result_id}}
    (shown,) = await asked(place, page, rules="deny sql_query hr")
    assert "paid\n3\n" in shown.result
    (denied,) = await asked(place, page, rules="deny metric_query hr")
    assert "result_page is denied: it reads 'hr'" in denied.result


@pytest.mark.parametrize(
    ("spelled", "tool"),
    [
        ("notes.csv", "sql_query"),
        ("/notes.csv", "sql_query"),
        ("./notes.csv", "sql_query"),
        ("//notes.csv", "data_describe"),
    ],
)
async def test_a_path_is_denied_however_it_is_spelled(place: Path, spelled: str, tool: str):
    call = query(spelled, "SELECT * FROM notes")
    if tool == "data_describe":
        call = {"name": tool, "args": {"source": spelled, "table": "notes"}}
    (result,) = await asked(place, call, rules=f"deny {tool} /notes.csv")
    assert f"{tool} is denied" in result.result


async def test_a_search_leaves_out_what_is_denied_and_says_so(place: Path):
    search = {"name": "data_search_catalog", "args": {"query": ""}}
    (everything,) = await asked(place, search)
    assert "people" in everything.result
    assert "paid" in everything.result
    (result,) = await asked(place, search, rules="deny data hr")
    assert "people" not in result.result
    assert "paid" not in result.result
    assert "(hr is left out: a rule denies it)" in result.result
    assert "orders" in result.result
    (result,) = await asked(place, search, rules="deny sql_query hr")
    assert "people" not in result.result
    assert "paid" in result.result


async def test_a_search_in_one_source_finds_nothing_of_another(place: Path):
    search = {"name": "data_search_catalog", "args": {"query": "", "source": "shop"}}
    (result,) = await asked(place, search, rules="deny data hr")
    assert "orders" in result.result
    assert "paid" not in result.result


async def test_a_model_cannot_say_what_a_search_leaves_out(place: Path):
    args = {"query": "", "leave_out": {"sql_query": ["shop"]}}
    search = {"name": "data_search_catalog", "args": args}
    (result,) = await asked(place, search, rules="deny data hr")
    assert "people" not in result.result
    assert "orders" in result.result


async def test_an_ask_about_a_source_asks_about_its_results(place: Path):
    result_id = await made(place, "hr", "SELECT * FROM people")
    person = Answering({"type": "approve"})
    call = readers(result_id)["report_create"]
    (result,) = await asked(place, call, rules="ask data hr", handler=person)
    assert result.status == "success"
    assert "it reads 'hr': rule: ask data 'hr'" in str(person.asked[0].get("reason"))


async def test_what_a_person_writes_instead_is_denied_as_well(place: Path):
    result_id = await made(place, "hr", "SELECT * FROM people")
    wanted = readers(result_id)["sql_query"]["args"]
    person = Answering({"type": "edit", "args": wanted})
    call = query("shop", "SELECT * FROM orders")
    rules = "ask sql_query shop\ndeny sql_query hr"
    (result,) = await asked(place, call, rules=rules, handler=person)
    assert "sql_query is denied: it reads 'hr'" in result.result
