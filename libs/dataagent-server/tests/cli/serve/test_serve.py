"""The real server: started by its command, asked over loopback, stopped by a signal."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
from pathlib import Path

import httpx
import pytest

from dataagent_server.cli.serve.texts import TEXTS
from tests.server.process import BIN, serving
from tests.warm.popen import WarmPopen, warm_run


def run(environment: dict[str, str], *command: str | Path) -> subprocess.CompletedProcess[str]:
    return warm_run(command, env=environment, cwd=Path.cwd(), stdin="", timeout=60)


def test_the_first_start_greets_with_a_key_and_the_next_without(
    clean_environment: dict[str, str], tmp_path: Path
):
    with serving(clean_environment, tmp_path) as server:
        assert "Model: demo:demo" in server.greeting
        key, sign_in_url = server.first_key, server.sign_in_url
        assert server.get("/probe", headers={"x-api-key": key}).status_code == 404
        assert server.stop(signal.SIGINT) == 0
    log = server.log.read_text()
    assert key not in log
    assert sign_in_url.partition("token=")[2] not in log
    assert all(json.loads(line) for line in log.splitlines())
    with serving(clean_environment, tmp_path) as server:
        assert "shown only now" not in server.greeting
        assert "keys create" in server.greeting
        assert server.sign_in_url != sign_in_url
        assert server.stop(signal.SIGTERM) == 0


def test_the_greeting_is_chinese_where_the_person_reads_it(
    clean_environment: dict[str, str], tmp_path: Path
):
    environment = clean_environment | {"DATAAGENT_LANGUAGE": "zh", "PYTHONUTF8": "1"}
    process = WarmPopen(
        [BIN / "dataagent-server", "serve", "--port", "0"],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    with process, process.stdout as output:
        assert "正在运行" in output.readline().decode()
        process.terminate()


def test_a_stop_lets_a_request_finish_and_ends_in_bounded_time(
    clean_environment: dict[str, str], tmp_path: Path
):
    environment = clean_environment | {"DATAAGENT_STOP_TIMEOUT": "2"}
    with serving(environment, tmp_path) as server:
        # A connection that never says anything must not hold the server.
        address = ("127.0.0.1", int(server.url.rpartition(":")[2]))
        with socket.create_connection(address) as silent:
            silent.sendall(
                b"POST /api/v1/version HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"
            )
            assert server.stop() == 0
    with pytest.raises(httpx.TransportError):
        server.get("/api/v1/health")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_that_is_stopped_as_soon_as_it_greets_stops(
    clean_environment: dict[str, str], tmp_path: Path, workers: str
):
    process = WarmPopen(
        [BIN / "dataagent", "serve", "--port", "0", "--workers", workers],
        env=clean_environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    with process, process.stdout as output:
        assert "running at" in output.readline()
        process.send_signal(signal.SIGINT)
        assert output.read().endswith("stopped\n")
    assert process.returncode == 0


def test_a_port_in_use_is_said_clearly(clean_environment: dict[str, str]):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        finished = run(clean_environment, BIN / "dataagent", "serve", "--port", port)
    assert finished.returncode == 2
    assert f"Port {port} of 127.0.0.1 is in use" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.parametrize(
    ("extra", "options", "told"),
    [
        ({"DATAAGENT_AUTH_DISABLED": "1"}, ["--host", "0.0.0.0"], "only be bound to this machine"),
        ({"DATAAGENT_CORS_ORIGINS": "*"}, [], "DATAAGENT_CORS_ORIGINS"),
        ({"DATAAGENT_DATABASE_URL": "oracle://u:hush@h/d"}, [], "oracle"),
        ({}, ["--port", "99999"], "less than or equal to 65535"),
        ({}, ["--host", "no.such.host.invalid"], "is not known"),
        ({"DATAAGENT_API_KEYS": '["short"]'}, [], "DATAAGENT_API_KEYS"),
        ({"DATAAGENT_API_KEYS": '["short"]'}, ["--workers", "2"], "DATAAGENT_API_KEYS"),
        ({"DATAAGENT_MODEL": "nonsense"}, [], "DATAAGENT_MODEL"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_sentence(
    clean_environment: dict[str, str], extra: dict[str, str], options: list[str], told: str
):
    finished = run(clean_environment | extra, BIN / "dataagent-server", "serve", *options)
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert told in finished.stderr
    assert finished.stderr.count("\n") == 1
    assert "hush" not in finished.stderr
    assert 'short"' not in finished.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_that_cannot_open_its_parts_says_why_and_never_that_it_runs(
    clean_environment: dict[str, str], tmp_path: Path, workers: str
):
    # The settings alone do not show it: tenants' own users cannot pass a folder above the home.
    (tmp_path / "closed").mkdir(mode=0o700)
    environment = clean_environment | {
        "DATAAGENT_HOME": str(tmp_path / "closed" / "home"),
        "DATAAGENT_WORKSPACE_UID_FIRST": "20000",
    }
    command = (BIN / "dataagent-server", "serve", "--port", "0", "--workers", workers)
    finished = run(environment, *command)
    # The sentence of a worker is in the log; its supervisor only learns that it did not start.
    assert finished.returncode == (2 if workers == "1" or os.geteuid() else 1)
    assert "running" not in finished.stdout
    assert "DATAAGENT_HOME" in finished.stderr or os.geteuid()
    assert "Traceback" not in finished.stderr


def test_without_authentication_no_key_is_made(clean_environment: dict[str, str], tmp_path: Path):
    environment = clean_environment | {"DATAAGENT_AUTH_DISABLED": "true"}
    with serving(environment, tmp_path) as server:
        assert "Authentication is off" in server.greeting
        assert "token=" not in server.greeting
        assert "da_" not in server.greeting
        assert server.get("/api/v1/auth/me").json()["user_id"] == "local"


def test_two_workers_share_one_file_and_one_set_of_metrics(
    clean_environment: dict[str, str], tmp_path: Path
):
    with serving(clean_environment, tmp_path, "--workers", "2") as server:
        # A new connection each time, so that both workers get some.
        for _ in range(20):
            assert server.get("/api/v1/health").status_code == 200
        counted = [
            line
            for line in server.get("/metrics").text.splitlines()
            if line.startswith("dataagent_http_requests_total") and "/api/v1/health" in line
        ]
        assert counted
        assert float(counted[0].rpartition(" ")[2]) == 20
        assert server.stop() == 0
    with sqlite3.connect(tmp_path / "home/dataagent.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_two_servers_start_on_one_new_file(clean_environment: dict[str, str], tmp_path: Path):
    with (
        serving(clean_environment, tmp_path) as first,
        serving(clean_environment, tmp_path) as second,
    ):
        assert first.url != second.url
        for server in (first, second):
            assert server.get("/api/v1/ready").status_code == 200


def test_the_documents_own_command_serves_too(clean_environment: dict[str, str], tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [BIN / "uvicorn", "dataagent_server.main:app", "--port", str(port)],
        env=clean_environment,
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        transport = httpx.HTTPTransport(retries=10)
        with httpx.Client(transport=transport, trust_env=False) as client:
            answer = client.get(f"http://127.0.0.1:{port}/api/v1/health")
        assert answer.json()["status"] == "ok"
    finally:
        process.terminate()
        process.wait(30)


def test_migrate_says_what_it_brought_up_to_date(clean_environment: dict[str, str]):
    finished = run(clean_environment, BIN / "dataagent-server", "migrate")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert "is up to date" in finished.stdout


def test_config_show_names_the_servers_settings_too(clean_environment: dict[str, str]):
    environment = clean_environment | {"DATAAGENT_PORT": "9123"}
    finished = run(environment, BIN / "dataagent", "config", "show", "--json")
    lines = {line["name"]: line for line in json.loads(finished.stdout)}
    assert lines["port"]["shown"] == "9123"
    assert lines["port"]["source"] == "environment DATAAGENT_PORT"


def test_every_sentence_is_there_in_both_languages():
    for key, (english, chinese) in TEXTS.items():
        assert english, key
        assert chinese, key
        assert english.count("{") == chinese.count("{"), key


def test_bytes_that_are_no_request_are_answered_in_the_one_form(
    clean_environment: dict[str, str], tmp_path: Path
):
    with serving(clean_environment, tmp_path) as server:
        address = ("127.0.0.1", int(server.url.rpartition(":")[2]))
        with socket.create_connection(address) as spoken:
            spoken.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nbad header\x00\r\n\r\n")
            answer = spoken.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error_code"] == "VALIDATION_ERROR"


def test_the_sign_in_address_lets_a_browser_in_once(
    clean_environment: dict[str, str], tmp_path: Path
):
    with serving(clean_environment, tmp_path) as server:
        with httpx.Client(follow_redirects=True, trust_env=False) as browser:
            page = browser.get(server.sign_in_url)
            assert page.headers["content-type"].startswith("text/html")
            assert "token" not in str(page.url)
            me = browser.get(f"{server.url}/api/v1/auth/me")
            assert me.json()["user_id"] == "local"
        with httpx.Client(follow_redirects=True, trust_env=False) as second:
            again = second.get(server.sign_in_url)
        assert (again.status_code, again.json()["error_code"]) == (401, "UNAUTHENTICATED")
