"""Open a machine at modal, daytona or runloop. Not run live by us: see docs/sandbox.md.

Their packages are extras and imported only here. Each reads its own credentials from the
environment of DataAgent, as its documentation says.
"""

import asyncio
import importlib
from collections.abc import Callable
from typing import Any, Literal

from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.remote_sandbox import RemoteSandbox

Provider = Literal["modal", "daytona", "runloop"]
_APP = "dataagent"


async def open_remote(provider: Provider) -> RemoteSandbox:
    """Start a machine and stand it behind the port."""
    try:
        backend, close = await asyncio.to_thread(_OPENERS[provider])
    except ImportError as error:
        raise SandboxUnavailableError(
            f"The sandbox {provider!r} is not installed: pip install 'dataagent-core[{provider}]'."
        ) from error

    async def closing() -> None:
        await asyncio.to_thread(close)

    return RemoteSandbox(backend, closing)


def _modal() -> tuple[Any, Callable[[], Any]]:
    package, vendor = _import("langchain_modal"), _import("modal")
    app = vendor.App.lookup(_APP, create_if_missing=True)
    machine = vendor.Sandbox.create(app=app)
    return package.ModalSandbox(sandbox=machine), machine.terminate


def _daytona() -> tuple[Any, Callable[[], Any]]:
    package, vendor = _import("langchain_daytona"), _import("daytona")
    machine = vendor.Daytona().create()
    return package.DaytonaSandbox(sandbox=machine), machine.delete


def _runloop() -> tuple[Any, Callable[[], Any]]:
    package, vendor = _import("langchain_runloop"), _import("runloop_api_client")
    machine = vendor.RunloopSDK().devbox.create()
    return package.RunloopSandbox(devbox=machine), machine.shutdown


def _import(name: str) -> Any:
    return importlib.import_module(name)


_OPENERS: dict[Provider, Callable[[], tuple[Any, Callable[[], Any]]]] = {
    "modal": _modal,
    "daytona": _daytona,
    "runloop": _runloop,
}
