"""`dataagent data` and `dataagent sources`: the data tools without a model."""

import json
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def sales(workspace: Path) -> Path:
    file = workspace / "sales.csv"
    file.write_text("region,email,amount\nEast,a@x.org,10\nWest,b@x.org,32.5\n")
    return file


def test_a_file_is_queried_by_its_path_and_shown_as_a_table(dataagent: Run, sales: Path):
    sql = "SELECT region, sum(amount) AS total FROM sales GROUP BY region ORDER BY region"
    done = dataagent("data", "query", "--source", str(sales), sql)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines() == ["region  total", "East    10", "West    32.5"]
    told = done.stderr.decode()
    assert "2 rows" in told
    assert 'SELECT "region"' in told


def test_json_holds_the_rows_the_sql_and_the_hash(dataagent: Run, sales: Path):
    done = dataagent("data", "query", "--source", str(sales), "SELECT * FROM sales", "--json")
    told = json.loads(done.stdout)
    assert told["rows"] == [["East", "a@x.org", 10], ["West", "b@x.org", 32.5]]
    assert (told["row_count"], told["truncated"]) == (2, False)
    assert told["normalized_sql"].startswith("SELECT")
    assert len(told["sha256"]) == 64


@pytest.mark.requirement("F5-9")
def test_a_result_is_exported_charted_and_queried_again(
    dataagent: Run, sales: Path, workspace: Path
):
    sql = "SELECT region, amount FROM sales"
    told = json.loads(dataagent("data", "query", "--source", str(sales), sql, "--json").stdout)
    result = told["result_id"]
    again = f"SELECT max(amount) AS m FROM {result}"
    done = dataagent("data", "query", "--source", "results", again, "--json")
    assert json.loads(done.stdout)["rows"] == [[32.5]]
    target = workspace / "out.csv"
    assert dataagent("data", "export", result, "--output", str(target)).returncode == 0
    assert "West" in target.read_text()
    assert dataagent("data", "export", result, "--output", str(target)).returncode == 1
    done = dataagent("data", "chart", result, "bar of amount by region", "--folder", str(workspace))
    assert done.returncode == 0, done.stderr.decode()
    assert "West" in done.stdout.decode()
    assert list((workspace / "charts").glob("*.png"))


def test_an_export_holds_all_rows_of_a_result_that_keeps_only_the_first(
    dataagent: Run, workspace: Path
):
    file = workspace / "many.csv"
    file.write_text("n,name\n" + "".join(f"{n},row {n}\n" for n in range(25_000)))
    sql = "SELECT n, name FROM many WHERE n >= 10 ORDER BY n"
    told = json.loads(dataagent("data", "query", "--source", str(file), sql, "--json").stdout)
    assert (told["row_count"], told["truncated"]) == (10_000, True)
    target = workspace / "all.csv"
    done = dataagent("data", "export", told["result_id"], "--output", str(target))
    assert done.returncode == 0, done.stderr.decode()
    assert "24990 rows" in done.stderr.decode()
    lines = target.read_text().splitlines()
    assert len(lines) == 24_991
    assert lines[-1] == '24999,"row 24999"'
    file.unlink()
    again = dataagent("data", "export", told["result_id"], "--output", str(workspace / "x.csv"))
    assert again.returncode != 0
    assert not (workspace / "x.csv").exists()
    assert "keeps only the first 10000 rows" in again.stderr.decode()


def test_a_path_from_the_root_of_the_workspace_is_found_in_the_current_folder(
    dataagent: Run, sales: Path, workspace: Path
):
    """So an agent's report, whose sources are named like that, runs again."""
    sql = "SELECT sum(amount) AS total FROM sales"
    done = dataagent("data", "query", "--source", f"/{sales.name}", sql, "--json", cwd=workspace)
    assert json.loads(done.stdout)["rows"] == [[42.5]]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["data", "query", "--source", "nope", "SELECT 1"], "There is no source 'nope'"),
        (["data", "check", "--source", "{sales}", "DROP TABLE sales"], "SELECT"),
        (["data", "export", "r_1"], "There is no result"),
        (["data", "describe", "{sales}", "nope"], "There is no table 'nope'"),
        (["sources", "add", "x", "/no/such/file.csv"], "cannot be opened"),
        (["sources", "add", "x", "gopher://x"], "gopher"),
        (["sources", "remove", "x"], "There is no source 'x'"),
        (["data", "report", "/no/such.yml"], "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    dataagent: Run, sales: Path, arguments: list[str], why: str
):
    done = dataagent(*(argument.format(sales=sales) for argument in arguments))
    told = done.stderr.decode()
    assert done.returncode != 0
    assert told.startswith("error: ")
    assert why in told
    assert len(told.strip().splitlines()) == 1


# The engine computes what is constant while it plans: minutes, if it is let.
FOLDED = "SELECT levenshtein(repeat('a', 600000), repeat('b', 600000)) AS s"


def test_a_query_whose_plan_computes_ends_at_its_timeout(dataagent: Run, sales: Path):
    done = dataagent("data", "query", "--source", str(sales), "--timeout", "1", FOLDED)
    assert done.returncode != 0
    assert "did not answer within" in done.stderr.decode()


@pytest.mark.slow
def test_a_check_whose_plan_computes_ends_by_itself(dataagent: Run, sales: Path):
    done = dataagent("data", "check", "--source", str(sales), FOLDED)
    assert done.returncode != 0
    assert "did not answer within 10 s" in done.stderr.decode()


def test_a_source_is_added_listed_tested_and_removed(dataagent: Run, sales: Path):
    done = dataagent("sources", "add", "shop", str(sales), "--description", "our sales")
    assert done.returncode == 0, done.stderr.decode()
    assert "added shop: 1 table" in done.stderr.decode()
    listed = json.loads(dataagent("sources", "list", "--json").stdout)
    assert listed[0]["name"] == "shop"
    assert json.loads(dataagent("sources", "test", "shop", "--json").stdout)["warnings"] == []
    assert dataagent("sources", "add", "shop", str(sales)).returncode == 1
    assert dataagent("sources", "remove", "shop").returncode == 0
    assert "no sources yet" in dataagent("sources", "list").stderr.decode()


def test_dataagents_own_files_are_no_source(dataagent: Run, sales: Path, tmp_path: Path):
    home = tmp_path / "home"
    dataagent("data", "query", "--source", str(sales), "SELECT 1 AS a")
    kept = next((home / "results").rglob("*.parquet"))
    refused = dataagent("sources", "add", "x", str(kept))
    assert "DataAgent's own folder" in refused.stderr.decode()
    assert refused.returncode != 0


def test_a_report_over_a_result_runs_again_when_that_is_gone(
    dataagent: Run, sales: Path, workspace: Path, tmp_path: Path
):
    asked = ("data", "query", "--source", str(sales), "SELECT * FROM sales", "--json")
    result = json.loads(dataagent(*asked).stdout)["result_id"]
    report = workspace / "total.yml"
    report.write_text(
        f"""
title: Total
queries: {{q: {{source: results, sql: "SELECT sum(amount) AS money FROM {result}"}}}}
blocks: [{{type: table, query: q}}]
"""
    )
    run = ("data", "report", "--format", "md", "--folder", str(workspace))
    done = dataagent(*run, str(report))
    assert done.returncode == 0, done.stderr.decode()
    for file in (tmp_path / "home" / "results").rglob("r_*"):
        file.unlink()
    sales.write_text(sales.read_text().replace("32.5", "90"))
    # What it wrote beside the report names no result any more; what a person wrote does.
    again = dataagent(*run, str(workspace / "reports" / "total.yml"))
    assert again.returncode == 0, again.stderr.decode()
    assert "| 100 |" in (workspace / "reports" / "total.md").read_text()
    gone = dataagent(*run, str(report))
    assert "is over an earlier result that is not there" in gone.stderr.decode()


def test_a_source_is_listed_searched_and_described_by_its_name(dataagent: Run, sales: Path):
    assert dataagent("sources", "add", "shop", str(sales)).returncode == 0
    assert "sales" in dataagent("data", "list", "shop").stdout.decode()
    assert "[shop] sales" in dataagent("data", "search", "amount").stdout.decode()
    assert "a@x.org" in dataagent("data", "describe", "shop").stdout.decode()


def test_a_person_is_told_what_is_hidden_and_what_an_engine_quotes(dataagent: Run, sales: Path):
    added = dataagent("sources", "add", "shop", str(sales), "--hide", "sales.amount")
    assert added.returncode == 0, added.stderr.decode()
    refused = dataagent("data", "query", "--source", "shop", "SELECT amount FROM sales")
    assert "The column 'amount' is hidden" in refused.stderr.decode()
    described = dataagent("data", "describe", "shop")
    assert "amount" not in described.stdout.decode()
    assert "hidden by the source's owner: amount" in described.stderr.decode()
    sql = "SELECT CAST(email AS INTEGER) FROM sales"
    failed = dataagent("data", "query", "--source", "shop", sql)
    assert "'a@x.org'" in failed.stderr.decode()
    assert (
        "'a@x.org'" in dataagent("data", "query", "--source", "shop", sql, "--json").stdout.decode()
    )


def test_a_table_is_described_in_columns_a_person_can_read(dataagent: Run, sales: Path):
    lines = dataagent("data", "describe", str(sales)).stdout.decode().splitlines()
    assert lines[0].startswith("table sales, ")
    heads, first = lines[1], lines[2]
    assert "," not in heads
    assert heads.split() == ["COLUMN", "TYPE", "KEY", "SAMPLES", "COMMENT"]
    assert heads.index("TYPE") == first.index(first.split()[1])
    profiled = dataagent("data", "describe", "--profile", str(sales)).stdout.decode()
    assert "DISTINCT" in profiled.splitlines()[1]


def test_how_a_file_is_read_is_said_with_its_description_and_its_rows(
    dataagent: Run, tmp_path: Path
):
    path = tmp_path / "orders.csv"
    path.write_text("day,who,amount\n" + "2025-01-02,Ann,10\n" * 20 + "Total,,200\n")
    said = "Note: orders.csv: 1 line of a footer is left out (line 22: 'Total,,200')"
    assert said in dataagent("data", "describe", str(path)).stderr.decode()
    query = ["data", "query", "--source", str(path), "SELECT sum(amount) AS s FROM orders"]
    assert said in dataagent(*query).stderr.decode()
    document = json.loads(dataagent(*query, "--json").stdout)
    assert (document["rows"], len(document["notes"])) == ([["200"]], 1)


@pytest.mark.parametrize(("dates", "last"), [("dmy", "2024-01-12"), ("mdy", "2024-12-01")])
def test_the_owner_of_a_source_says_how_its_dates_are_written(
    dataagent: Run, tmp_path: Path, dates: str, last: str
):
    path = tmp_path / "orders.csv"
    path.write_text("day,v\n" + "".join(f"{n:02}/01/2024,{n}\n" for n in range(1, 13)))
    assert dataagent("sources", "add", "shop", str(path), "--dates", dates).returncode == 0
    asked = dataagent("data", "query", "--source", "shop", "SELECT max(day) AS d FROM orders")
    assert last in asked.stdout.decode()
    assert "two ways" not in asked.stderr.decode()


def test_the_encoding_of_a_source_is_given_by_any_of_its_names(dataagent: Run, tmp_path: Path):
    path = tmp_path / "people.csv"
    path.write_bytes("name,n\nKovač,1\n".encode("cp1250"))
    added = dataagent("sources", "add", "shop", str(path), "--encoding", "windows-1250")
    assert added.returncode == 0
    asked = dataagent("data", "query", "--source", "shop", "SELECT name FROM people")
    assert "Kovač" in asked.stdout.decode()
    assert "read in cp1250, as a person chose" in asked.stderr.decode()
    wrong = dataagent("sources", "add", "other", str(path), "--encoding", "klingon")
    assert wrong.returncode == 2
    assert "'klingon' is no encoding DataAgent reads. Use one of utf-8," in wrong.stderr.decode()


def test_one_row_is_a_row(dataagent: Run, sales: Path):
    told = dataagent("data", "query", "--source", str(sales), "SELECT 1 AS a").stderr.decode()
    assert told.startswith("1 row · ")


def test_a_file_in_a_folder_that_is_missing_is_one_clear_line(
    dataagent: Run, sales: Path, tmp_path: Path
):
    asked = ["data", "query", "--source", str(sales), "SELECT 1 AS a", "--json"]
    kept = json.loads(dataagent(*asked).stdout)["result_id"]
    missing = tmp_path / "missing" / "out.csv"
    for form in ("csv", "parquet", "xlsx"):
        done = dataagent("data", "export", kept, "--format", form, "--output", str(missing))
        told = done.stderr.decode()
        assert done.returncode == 2
        assert "unexpected" not in told
        assert "there is no folder" in told
    # Not written over either, and a folder is not a file.
    folder = dataagent("data", "export", kept, "--output", str(tmp_path))
    assert "unexpected" not in folder.stderr.decode()


def test_a_result_is_written_in_the_format_its_file_is_named_for(
    dataagent: Run, sales: Path, tmp_path: Path
):
    asked = ["data", "query", "--source", str(sales), "SELECT 1 AS a", "--json"]
    kept = json.loads(dataagent(*asked).stdout)["result_id"]
    assert dataagent("data", "export", kept, "--output", str(tmp_path / "a.xlsx")).returncode == 0
    assert (tmp_path / "a.xlsx").read_bytes().startswith(b"PK")
    refused = dataagent("data", "export", kept, "--output", str(tmp_path / "a.pdf"))
    assert refused.returncode == 2
    assert "csv, parquet or xlsx" in refused.stderr.decode()


def test_a_person_is_told_that_a_table_is_hidden(dataagent: Run, sales: Path):
    (sales.parent / "pay.csv").write_text("a\n1\n")
    added = dataagent("sources", "add", "shop", str(sales.parent), "--hide", "pay")
    assert added.returncode == 0, added.stderr.decode()
    hidden = dataagent("data", "describe", "shop", "pay").stderr.decode()
    assert "The table 'pay' is hidden" in hidden
    assert (
        "There is no table 'pays'" in dataagent("data", "describe", "shop", "pays").stderr.decode()
    )


def test_verified_questions_are_run_and_differences_shown(
    dataagent: Run, sales: Path, workspace: Path
):
    folder = workspace / ".dataagent" / "semantic"
    folder.mkdir(parents=True)
    (folder / "q.yml").write_text(
        "questions:\n"
        f"  - {{question: 'How much?', source: '{sales}', owner: ann, sql: SELECT sum(amount) FROM sales, rows: [[42.5]]}}\n"
        f"  - {{question: 'How many?', source: '{sales}', owner: ann, sql: SELECT count(*) FROM sales, rows: [[3]]}}\n"
        f"  - {{question: 'Broken?', source: '{sales}', owner: ann, sql: SELECT nope FROM sales}}\n"
    )
    done = dataagent("data", "test", cwd=workspace)
    told = done.stdout.decode()
    assert done.returncode == 1
    assert "✓ same  How much?" in told
    assert "✗ different  How many?" in told
    assert "row 1: 3 was expected, 2 came" in told
    assert "✗ failed  Broken?" in told


def test_the_sample_warehouse_is_made_and_asked(dataagent: Run, workspace: Path):
    done = dataagent("data", "sample", str(workspace / "shop"))
    assert "order_lines  1,000,909" in done.stdout.decode()
    sql = "SELECT count(*) AS n FROM order_lines"
    done = dataagent("data", "query", "--source", str(workspace / "shop"), sql, "--json")
    assert json.loads(done.stdout)["rows"] == [[1_000_909]]


def test_the_time_of_a_query_holds_for_its_plan(dataagent: Run, sales: Path):
    folded = "SELECT levenshtein(repeat('a', 600000), repeat('b', 600000)) AS s"
    began_s = time.monotonic()
    done = dataagent("data", "query", "--source", str(sales), folded, "--timeout", "1")
    # Starting the worker and reading the tables take their part of the second.
    assert re.search(r"within (1|0\.\d+) s", done.stderr.decode())
    # Without the limit it takes ten minutes.
    assert time.monotonic() - began_s < 120
