"""The services end with the tests that started them, and keep what was committed."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.services.mariadb import MariaDBService
from tests.services.postgresql import PostgreSQLService, find_wheel
from tests.services.process import Service

OwnServices = Callable[[str], Service]

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
    [
        ("redis", "RedisService"),
        ("postgresql", "PostgreSQLService"),
        ("mariadb", "MariaDBService"),
        pytest.param("neo4j.service", "Neo4jService", marks=pytest.mark.slow),
    ],
)
def test_a_service_dies_with_the_process_that_started_it(
    module: str, name: str, own_services: OwnServices
):
    own_services(module.partition(".")[0]).stop()  # skips where there is none
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


def test_postgresql_starts_where_its_wheel_lies_in_a_closed_folder(
    tmp_path: Path, own_services: OwnServices
):
    own_services("postgresql").stop()  # skips where there is none
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    wheel = find_wheel()
    for name in (wheel.name, f"{wheel.name}.libs"):
        shutil.copytree(wheel.with_name(name), closed / name, symlinks=True)
    service = PostgreSQLService(closed / wheel.name)
    try:
        service.start()
        assert service.client.execute("SELECT 1") == [(1,)]
    finally:
        service.remove()


def test_what_was_committed_survives_a_kill_of_postgresql(own_services: OwnServices):
    service = own_services("postgresql")
    assert isinstance(service, PostgreSQLService)
    service.client.create("kept")
    service.client.execute("CREATE TABLE t (n int)", "kept")
    service.client.execute("INSERT INTO t VALUES (1)", "kept")
    service.stop()
    service.start()
    assert service.client.execute("SELECT n FROM t", "kept") == [(1,)]


def test_what_was_committed_survives_a_kill_of_mariadb(own_services: OwnServices):
    service = own_services("mariadb")
    assert isinstance(service, MariaDBService)
    service.client.create("kept")
    service.client.execute("CREATE TABLE kept.t (n int)", "INSERT INTO kept.t VALUES (1)")
    service.stop()
    service.start()
    assert service.client.execute("SELECT n FROM kept.t") == [(1,)]
