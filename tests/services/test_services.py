"""The services end with the tests that started them, and keep what was committed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.services.mariadb import MariaDB
from tests.services.postgresql import PostgreSQL

_STARTER = """
import sys, time
from tests.services.{module} import {name}
service = {name}()
service.start()
print(service.pid, service.directory, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("module", "name"),
    [("redis", "Redis"), ("postgresql", "PostgreSQL"), ("mariadb", "MariaDB")],
)
def test_a_service_dies_with_the_process_that_started_it(
    module: str, name: str, request: pytest.FixtureRequest
):
    request.getfixturevalue(f"{module}_service")  # skips where there is none
    starter = subprocess.Popen(
        [sys.executable, "-c", _STARTER.format(module=module, name=name)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert starter.stdout is not None
    with starter.stdout:
        pid, directory = starter.stdout.readline().split(maxsplit=1)
    service = psutil.Process(int(pid))
    family = [service, *service.children(recursive=True)]
    os.kill(starter.pid, signal.SIGKILL)
    starter.wait()
    _, alive = psutil.wait_procs(family, timeout=30)
    assert alive == []
    subprocess.run(["rm", "-r", directory.decode().strip()], check=True)


def test_what_was_committed_survives_a_kill_of_postgresql(postgresql_service: PostgreSQL):
    postgresql_service.create("kept")
    postgresql_service.execute("CREATE TABLE t (n int)", "kept")
    postgresql_service.execute("INSERT INTO t VALUES (1)", "kept")
    postgresql_service.stop()
    postgresql_service.start()
    assert postgresql_service.execute("SELECT n FROM t", "kept") == [(1,)]
    postgresql_service.drop("kept")


def test_what_was_committed_survives_a_kill_of_mariadb(mariadb_service: MariaDB):
    mariadb_service.create("kept")
    mariadb_service.execute("CREATE TABLE kept.t (n int)", "INSERT INTO kept.t VALUES (1)")
    mariadb_service.stop()
    mariadb_service.start()
    assert mariadb_service.execute("SELECT n FROM kept.t") == [(1,)]
    mariadb_service.drop("kept")
