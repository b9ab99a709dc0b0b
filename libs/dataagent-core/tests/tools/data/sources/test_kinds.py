"""What a path or a URL is, and the sentence for what it is not."""

import os
import sqlite3
from pathlib import Path

import duckdb
import pytest

from dataagent_core.errors import NotFoundError, PathEscapeError, ValidationError
from dataagent_core.tools.data.sources.file_formats import FileFormat, detect_format
from dataagent_core.tools.data.sources.source_kinds import make_source_spec
from dataagent_core.tools.data.sources.source_names import make_source_name


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("postgresql://u:p@h/db", "postgres"),
        ("postgres://h/db", "postgres"),
        ("postgresql+psycopg://h/db", "postgres"),
        ("mysql+pymysql://h/db", "mysql"),
        ("mariadb://h/db", "mysql"),
        ("clickhouse://h/db", "clickhouse"),
        ("trino://h/cat", "trino"),
        ("snowflake://a/db", "snowflake"),
        ("bigquery://project", "bigquery"),
    ],
)
def test_a_server_is_known_by_its_scheme(url: str, kind: str):
    spec = make_source_spec("s", url, None)
    assert (spec.kind, spec.location) == (kind, url)
    assert url not in repr(spec)


@pytest.mark.parametrize("url", ["https://x/a.csv", "s3://b/a.parquet", "ftp://x/y"])
def test_another_scheme_is_refused_with_what_to_do(url: str):
    with pytest.raises(ValidationError, match="download the file first"):
        make_source_spec("s", url, None)


@pytest.mark.parametrize("name", ["", "1a", "a b", "a.b", "ä", "a" * 65, "-a", "a\n"])
def test_a_name_that_would_need_quotes_is_refused(name: str, tmp_path: Path):
    with pytest.raises(ValidationError, match="is no name for a source"):
        make_source_spec(name, str(tmp_path), None)


def test_databases_are_known_by_their_first_bytes_whatever_they_are_called(tmp_path: Path):
    with sqlite3.connect(tmp_path / "x.csv") as lite:
        lite.execute("CREATE TABLE t(a)")
    lite.close()
    duckdb.connect(tmp_path / "y.db").execute("CREATE TABLE t(a INT)").close()
    assert make_source_spec("s", str(tmp_path / "x.csv"), None).kind == "sqlite"
    assert make_source_spec("s", str(tmp_path / "y.db"), None).kind == "duckdb"
    assert make_source_spec("s", f"sqlite:///{tmp_path}/x.csv", None).kind == "sqlite"
    assert make_source_spec("s", f"file://{tmp_path}/x.csv", None).kind == "sqlite"


def test_what_is_not_what_it_is_called_is_refused(tmp_path: Path):
    for name, match in {
        "a.sqlite": "no SQLite database",
        "a.duckdb": "no DuckDB database",
        "a.xls": "Save it as .xlsx",
        "a.docx": "no ending DataAgent knows",
        "noending": "no ending DataAgent knows",
    }.items():
        (tmp_path / name).write_text("hello")
        with pytest.raises(ValidationError, match=match):
            make_source_spec("s", str(tmp_path / name), None)


def test_what_does_not_exist_or_is_no_file_is_said(tmp_path: Path):
    with pytest.raises(NotFoundError, match="No such file"):
        make_source_spec("s", str(tmp_path / "a.csv"), None)
    os.mkfifo(tmp_path / "p.csv")
    with pytest.raises(ValidationError, match="no regular file"):
        make_source_spec("s", str(tmp_path / "p.csv"), None)
    with pytest.raises(ValidationError, match="no regular file"):
        make_source_spec("s", "/dev/null", None)


def test_with_a_base_a_path_cannot_lead_out(tmp_path: Path):
    base = tmp_path / "workspace"
    base.mkdir()
    (tmp_path / "secret.csv").write_text("a\n1\n")
    (base / "link.csv").symlink_to(tmp_path / "secret.csv")
    (base / "a.csv").write_text("a\n1\n")
    assert make_source_spec("s", "a.csv", base).location == str(base / "a.csv")
    for path in ("../secret.csv", "link.csv", str(tmp_path / "secret.csv"), "/etc/passwd"):
        with pytest.raises(PathEscapeError, match="leads out of the workspace"):
            make_source_spec("s", path, base)


def test_the_format_is_read_from_the_whole_ending():
    assert detect_format("a.b.csv.gz") == FileFormat("csv", "gzip", "a.b", "csv")
    assert detect_format("A.JSONL") == FileFormat("json", "", "A", "jsonl")
    for name in ("csv", ".csv", "a.parquet.gz", "a.gz", "a", "a.xls"):
        assert detect_format(name) is None


@pytest.mark.parametrize("name", ["results", "Results"])
def test_the_name_of_earlier_results_is_taken(name: str, tmp_path: Path):
    with pytest.raises(ValidationError, match="earlier results"):
        make_source_spec(name, str(tmp_path), None)
    assert make_source_name(name) == f"file_{name}"
