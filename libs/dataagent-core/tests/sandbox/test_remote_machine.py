"""A machine elsewhere: started once, when first needed; given back once, whatever happened."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from vendor import Vendor, VendorError

from dataagent_core.errors import ConflictError, SandboxUnavailableError, ValidationError
from dataagent_core.sandbox.remote.remote_machine import MachineHandle, RemoteMachine
from dataagent_core.sandbox.remote.remote_sandbox import RemoteSandbox


@pytest.fixture
def vendor(tmp_path: Path) -> Vendor:
    return Vendor(tmp_path)


@pytest.fixture
def machine(vendor: Vendor) -> RemoteMachine:
    return RemoteMachine("vendor", lambda: vendor.open_machine("vendor"))


def test_a_machine_is_started_by_its_first_use_and_only_once(
    vendor: Vendor, machine: RemoteMachine
):
    assert vendor.asked == []
    with ThreadPoolExecutor(8) as threads:
        started = [threads.submit(machine.ready) for _ in range(8)]
    assert {start.result().home for start in started} == {str(vendor.files())}
    assert len(vendor.asked) == 1


def test_a_machine_that_was_never_used_is_never_started(vendor: Vendor, machine: RemoteMachine):
    machine.close()
    assert vendor.asked == []
    with pytest.raises(ConflictError, match="closed"):
        machine.ready()


def test_a_machine_that_is_being_started_at_the_end_is_given_back(vendor: Vendor):
    starting, go_on = Event(), Event()

    def slowly() -> MachineHandle:
        starting.set()
        assert go_on.wait(10)
        return vendor.open_machine("vendor")

    machine = RemoteMachine("vendor", slowly)
    with ThreadPoolExecutor(2) as threads:
        user = threads.submit(machine.ready)
        assert starting.wait(10)
        closing = threads.submit(machine.close)
        go_on.set()
        user.result(10)
        closing.result(10)
    assert vendor.running == set()


async def test_a_run_that_is_cancelled_while_the_machine_starts_leaks_none(vendor: Vendor):
    starting, go_on = Event(), Event()

    def slowly() -> MachineHandle:
        starting.set()
        assert go_on.wait(10)
        return vendor.open_machine("vendor")

    sandbox = RemoteSandbox(RemoteMachine("vendor", slowly))
    run = asyncio.create_task(sandbox.run("true"))
    await asyncio.to_thread(starting.wait, 10)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    go_on.set()
    await sandbox.aclose()
    assert vendor.running == set()


def test_a_machine_that_cannot_be_used_is_given_back_all_the_same(vendor: Vendor):
    def broken() -> MachineHandle:
        opened = vendor.open_machine("vendor")
        vendor.files().rmdir()
        return opened

    machine = RemoteMachine("vendor", broken)
    with pytest.raises(SandboxUnavailableError, match="vendor"):
        machine.ready()
    machine.close()
    assert vendor.running == set()


def test_a_machine_that_cannot_be_given_back_is_named_and_tried_again(vendor: Vendor):
    opened = vendor.open_machine("vendor")
    answers = iter([VendorError("not now"), None])

    def close() -> None:
        if error := next(answers):
            raise error
        opened.close()

    machine = RemoteMachine("vendor", lambda: MachineHandle(opened.backend, close))
    machine.ready()
    with pytest.raises(SandboxUnavailableError, match=r"machine-m1.*not now"):
        machine.close()
    machine.close()
    assert vendor.running == set()


async def test_what_a_vendor_raises_is_said_without_claiming_that_nothing_ran(
    vendor: Vendor, machine: RemoteMachine, monkeypatch: pytest.MonkeyPatch
):
    sandbox = RemoteSandbox(machine)
    await sandbox.run("true")

    def fail(*_: Any, **__: Any) -> None:
        raise VendorError("connection reset")

    monkeypatch.setattr(vendor.machines[0], "execute", fail)
    with pytest.raises(SandboxUnavailableError, match=r"connection reset.*not known"):
        await sandbox.run("true")


async def test_a_run_starts_in_the_workspace_or_a_folder_of_it(
    vendor: Vendor, machine: RemoteMachine
):
    sandbox = RemoteSandbox(machine)
    assert (await sandbox.run("pwd; mkdir -p a/b")).stdout.data == f"{vendor.files()}\n".encode()
    assert (await sandbox.run("pwd", cwd="/a/b")).stdout.data == f"{vendor.files()}/a/b\n".encode()


async def test_what_a_remote_sandbox_cannot_do_is_refused(machine: RemoteMachine):
    sandbox = RemoteSandbox(machine)
    with pytest.raises(ValidationError, match="vendor"):
        await sandbox.run("true", network="none")
    with pytest.raises(ValidationError, match="Put it into a file"):
        await sandbox.run("cat", stdin=b"x" * 100_000)
