"""Start a machine at modal, daytona or runloop. Not run live by us: see docs/sandbox.md.

Their packages are extras and imported only here. Each reads its own credentials from the
environment of DataAgent, as its documentation says. A machine we start is told to end by itself,
so that one whose owner was killed does not cost money for ever; one that was named by its id
belongs to somebody else and is left running.
"""

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any, Literal, get_args

from dataagent_core.config.limits import REMOTE_IDLE_S_MAX, REMOTE_LIFE_S_MAX
from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.remote.remote_machine import MachineHandle

Provider = Literal["modal", "daytona", "runloop"]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)

_APP = "dataagent"
_CREDENTIALS: dict[Provider, str] = {
    "modal": "MODAL_TOKEN_ID and MODAL_TOKEN_SECRET, or run `modal token new`",
    "daytona": "DAYTONA_API_KEY",
    "runloop": "RUNLOOP_API_KEY",
}


def explain_installation(provider: Provider) -> str | None:
    """Say how to install what a provider needs, or None if it is there."""
    if importlib.util.find_spec(f"langchain_{provider}") is not None:
        return None
    return f"The sandbox {provider!r} is not installed: pip install 'dataagent-core[{provider}]'."


def open_machine(provider: Provider, sandbox_id: str | None = None) -> MachineHandle:
    """Start a machine, or connect to the one with this id. Blocks until it answers."""
    if missing := explain_installation(provider):
        raise SandboxUnavailableError(missing)
    try:
        return _OPENERS[provider](sandbox_id)
    except Exception as error:  # every vendor has errors of its own
        raise SandboxUnavailableError(
            f"{provider} gave no machine ({type(error).__name__}: {error}). Set "
            f"{_CREDENTIALS[provider]}, and look whether the account may start one."
        ) from error


def _open_modal(sandbox_id: str | None) -> MachineHandle:
    package, vendor = _import("langchain_modal"), _import("modal")
    if sandbox_id:
        return MachineHandle(
            package.ModalSandbox(sandbox=vendor.Sandbox.from_id(sandbox_id)), _leave_running
        )
    machine = vendor.Sandbox.create(
        app=vendor.App.lookup(_APP, create_if_missing=True),
        timeout=REMOTE_LIFE_S_MAX,
        idle_timeout=REMOTE_IDLE_S_MAX,
    )
    return MachineHandle(package.ModalSandbox(sandbox=machine), machine.terminate)


def _open_daytona(sandbox_id: str | None) -> MachineHandle:
    package, vendor = _import("langchain_daytona"), _import("daytona")
    if sandbox_id:
        return MachineHandle(
            package.DaytonaSandbox(sandbox=vendor.Daytona().get(sandbox_id)), _leave_running
        )
    parameters = vendor.CreateSandboxFromSnapshotParams(
        auto_stop_interval=REMOTE_IDLE_S_MAX // 60,
        auto_delete_interval=0,  # minutes after it has stopped
    )
    machine = vendor.Daytona().create(parameters)
    return MachineHandle(package.DaytonaSandbox(sandbox=machine), machine.delete)


def _open_runloop(sandbox_id: str | None) -> MachineHandle:
    package, vendor = _import("langchain_runloop"), _import("runloop_api_client")
    devboxes = vendor.RunloopSDK().devbox
    if sandbox_id:
        return MachineHandle(
            package.RunloopSandbox(devbox=devboxes.from_id(sandbox_id)), _leave_running
        )
    machine = devboxes.create(launch_parameters={"keep_alive_time_seconds": REMOTE_LIFE_S_MAX})
    return MachineHandle(package.RunloopSandbox(devbox=machine), machine.shutdown)


def _leave_running() -> None:
    """Somebody else started this machine."""


def _import(name: str) -> Any:
    return importlib.import_module(name)


_OPENERS: dict[Provider, Callable[[str | None], MachineHandle]] = {
    "modal": _open_modal,
    "daytona": _open_daytona,
    "runloop": _open_runloop,
}
