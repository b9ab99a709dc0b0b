"""A server that is to use a package which is not installed says so with the command for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# In a process of its own: in this one the package may have been imported before.
WITHOUT = (
    "import sys; sys.modules[{package!r}] = None\n"
    "from dataagent_server.cli.main import exit_code_of\n"
    "sys.exit(exit_code_of(sys.argv[1:]))"
)


def serve_without(package: str, home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"DATAAGENT_HOME": str(home)} | variables
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(package=package), "serve"],
        env=environment,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "error: DATAAGENT_REDIS_URL (from environment DATAAGENT_REDIS_URL) cannot be used: ",
        ),
        ("zh", "错误:DATAAGENT_REDIS_URL"),
    ],
)
def test_a_server_for_redis_without_its_package_is_one_sentence_with_the_command(
    tmp_path: Path, language: str, said: str
):
    done = serve_without(
        "redis",
        tmp_path,
        DATAAGENT_REDIS_URL="redis://127.0.0.1:9",
        DATAAGENT_LANGUAGE=language,
    )
    (told,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert told.startswith(said)
    assert "pip install 'dataagent-core[redis]'" in told
    assert ("not installed" in told) == (language == "en")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "error: DATAAGENT_NEO4J_URI is set, and its driver is not installed"),
        ("zh", "错误:已设置 DATAAGENT_NEO4J_URI,但未安装其驱动"),
    ],
)
def test_a_server_for_neo4j_without_its_driver_says_the_command_for_it(
    tmp_path: Path, language: str, said: str
):
    done = serve_without(
        "neo4j",
        tmp_path,
        DATAAGENT_NEO4J_URI="bolt://127.0.0.1:9",
        DATAAGENT_LANGUAGE=language,
        DATAAGENT_PORT="0",
    )
    assert (done.returncode, done.stdout) == (2, "")
    # The log of the start comes before it.
    told = done.stderr.splitlines()[-1]
    assert told.startswith(said)
    assert "pip install 'dataagent-core[neo4j]'" in told
