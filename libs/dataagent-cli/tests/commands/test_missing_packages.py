"""A command whose package is not installed prints one sentence with the install command."""

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., tuple[int, str, str]]
CORE = Path(__file__).parents[3] / "dataagent-core" / "pyproject.toml"
# The module that is missing, what installs it, and a command that needs it.
MISSING = (
    ("chdb", "'dataagent-core[clickhouse]'", "sources add s chdb:///data"),
    ("pyspark", "'dataagent-core[spark]'", "sources add s spark://h/d --read-only-confirmed"),
    ("trino", "'trino[sqlalchemy]'", "sources add s trino://h/d --read-only-confirmed"),
    ("snowflake", "snowflake-sqlalchemy", "sources add s snowflake://h/d --read-only-confirmed"),
    (
        "sqlalchemy_bigquery",
        "sqlalchemy-bigquery",
        "sources add s bigquery://h/d --read-only-confirmed",
    ),
    ("langchain_modal", "'dataagent-core[modal]'", "run x --sandbox modal"),
    ("langchain_daytona", "'dataagent-core[daytona]'", "run x --sandbox daytona"),
    ("langchain_runloop", "'dataagent-core[runloop]'", "run x --sandbox runloop"),
)
# `code` is a note of the code executor, `sandbox` the three vendors, `testing` for programs that
# import core; a server needs `redis` and `neo4j` (`tests/cli/serve/test_missing_packages.py` there).
NO_COMMAND_NEEDS = {"code", "sandbox", "redis", "neo4j", "testing"}


@pytest.mark.parametrize(("module", "package", "line"), MISSING)
@pytest.mark.parametrize(
    ("language", "begin", "end"), [("en", "error: ", "."), ("zh", "错误:", "。")]
)
def test_a_missing_package_is_one_sentence_with_the_command(
    *,
    command: Command,
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    package: str,
    line: str,
    language: str,
    begin: str,
    end: str,
):
    environment |= {"DATAAGENT_LANGUAGE": language, "DATAAGENT_MODEL": "demo:demo"}
    monkeypatch.setitem(sys.modules, module, None)
    code, out, err = command(*line.split())
    (told,) = err.splitlines()
    assert (code, out) == (2, "")
    assert told.startswith(begin)
    assert told.endswith(f"pip install {package}{end}")
    assert ("not installed" in told) == (language == "en")


def test_every_extra_of_core_is_tried():
    extras = tomllib.loads(CORE.read_text())["project"]["optional-dependencies"]
    tried = {f"'dataagent-core[{extra}]'" for extra in extras.keys() - NO_COMMAND_NEEDS}
    assert tried <= {package for _, package, _ in MISSING}
