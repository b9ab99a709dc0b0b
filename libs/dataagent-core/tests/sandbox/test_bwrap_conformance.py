"""One suite for every sandbox: namespaces, the host, and the way of the remote ones.

The vendors' own need credentials and `DATAAGENT_REMOTE_SANDBOX=modal|daytona|runloop`.
"""

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest
from vendor import Vendor, like_daytona, like_modal

from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.host_shell import UnsafeHostShell
from dataagent_core.sandbox.port import ProcessSandbox, Sandbox
from dataagent_core.sandbox.remote.providers import Provider, open_machine
from dataagent_core.sandbox.remote.remote_machine import MachineHandle, RemoteMachine
from dataagent_core.sandbox.remote.remote_sandbox import RemoteSandbox, SandboxBackend
from dataagent_core.testing.conformance.sandbox import SandboxConformance

PROVIDER = os.environ.get("DATAAGENT_REMOTE_SANDBOX", "")


class TestBwrap(SandboxConformance):
    """The fixture `sandbox` of this folder."""


class TestHost(SandboxConformance):
    @pytest.fixture
    async def sandbox(self, tmp_path: Path) -> AsyncIterator[Sandbox]:
        host = UnsafeHostShell(tmp_path)
        yield host
        await host.aclose()


class TestThroughDeepagents(SandboxConformance):
    """A remote sandbox whose machine is a local one: both adapters, real commands."""

    @pytest.fixture
    async def sandbox(self, workspace: Path, tmp_path: Path) -> AsyncIterator[Sandbox]:
        local = await BwrapSandbox.open(workspace, scratch=tmp_path)
        remote = RemoteSandbox(
            RemoteMachine("local", lambda: MachineHandle(SandboxBackend(local), lambda: None))
        )
        yield remote
        await remote.aclose()
        await local.aclose()


class TestAVendorThatJoinsStreamsInItsOwnWay(SandboxConformance):
    """The two ways of the vendors' packages, with real processes behind them."""

    @pytest.fixture(params=[like_modal, like_daytona])
    async def sandbox(
        self, request: pytest.FixtureRequest, tmp_path: Path
    ) -> AsyncIterator[Sandbox]:
        vendor = Vendor(tmp_path / "vendor", request.param)
        remote = RemoteSandbox(RemoteMachine("vendor", lambda: vendor.open_machine("vendor")))
        yield remote
        await remote.aclose()


if PROVIDER:

    class TestRemote(SandboxConformance):
        @pytest.fixture
        async def sandbox(self) -> AsyncIterator[Sandbox]:
            provider = cast("Provider", PROVIDER)
            remote = RemoteSandbox(RemoteMachine(provider, lambda: open_machine(provider)))
            yield remote
            await remote.aclose()


def test_every_sandbox_has_the_port(tmp_path: Path):
    assert isinstance(UnsafeHostShell(tmp_path), Sandbox)
    assert not isinstance(UnsafeHostShell(tmp_path), ProcessSandbox)


async def test_bwrap_can_also_keep_programs_running(sandbox: BwrapSandbox):
    assert isinstance(sandbox, ProcessSandbox)


@pytest.mark.parametrize("provider", ["modal", "daytona", "runloop"])
def test_a_vendor_that_is_not_installed_says_how_to_install_it(provider: Provider):
    with pytest.raises(SandboxUnavailableError, match=rf"dataagent-core\[{provider}\]"):
        open_machine(provider)


def test_deepagents_file_tools_work_through_the_backend(workspace: Path, tmp_path: Path):
    import asyncio

    local = asyncio.run(BwrapSandbox.open(workspace, scratch=tmp_path))
    backend = SandboxBackend(local)
    assert (
        backend.upload_files([("/workspace/d/a.txt", b"hi"), ("/usr/x", b"")])[1].error is not None
    )
    assert (workspace / "d" / "a.txt").read_bytes() == b"hi"
    found, missing = backend.download_files(["/workspace/d/a.txt", "/none"])
    assert (found.content, missing.error) == (b"hi", "file_not_found")
    assert backend.execute("cat d/a.txt").output == "hi"
    assert backend.read("/workspace/d/a.txt").error is None
    asyncio.run(local.aclose())
