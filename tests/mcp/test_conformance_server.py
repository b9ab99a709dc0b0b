"""Our server against the community's conformance suite: the application itself, with its fixtures."""

import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from tests.mcp.suite import REVISIONS, required, server_failures
from tests.server.fixtures import environment_of

START_S = 60.0


@pytest.fixture
def url(tmp_path: Path) -> Generator[str]:
    """Start it on a free port of this machine, in its own process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    home = tmp_path / "home"
    command = [sys.executable, "-m", "tests.mcp.conformance_server", str(port), str(home)]
    with (
        (tmp_path / "server.log").open("w") as log,
        subprocess.Popen(command, stdout=log, stderr=log, env=environment_of(home)) as server,
    ):
        try:
            _wait_for(f"http://127.0.0.1:{port}/api/v1/ready", server, tmp_path / "server.log")
            yield f"http://localhost:{port}/mcp"
        finally:
            server.terminate()


def _wait_for(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert server.poll() is None, log.read_text()
        try:
            if httpx.get(address, trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail(f"the server did not start within {START_S:g} seconds: {log.read_text()}")


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.requirement("F6-conformance")
def test_no_required_server_scenario_fails(url: str, revision: str, tmp_path: Path) -> None:
    scenarios = required(revision).server
    assert scenarios
    failed = {
        scenario: failures
        for scenario in scenarios
        if (failures := server_failures(url, scenario, revision, tmp_path / scenario))
    }
    assert failed == {}
