"""How the vendors' packages are called. They are not here: stand-ins write the calls down."""

import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from vendor import VendorError

from dataagent_core.config.limits import REMOTE_IDLE_S_MAX, REMOTE_LIFE_S_MAX
from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.remote.providers import Provider, open_machine


class Packages:
    """What is asked of the vendors, and with what error they answer."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.error: Exception | None = None

    def noting(self, name: str, result: Any = None) -> Callable[..., Any]:
        def call(*args: Any, **values: Any) -> Any:
            if self.error is not None:
                raise self.error
            self.calls.append((name, {**values, **({"args": args} if args else {})}))
            return result

        return call


def giving(value: Any) -> Callable[..., Any]:
    def give(*_: Any, **__: Any) -> Any:
        return value

    return give


def wishes(**values: Any) -> dict[str, Any]:
    return values


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> Packages:
    notes = Packages()
    ends = {name: notes.noting(name) for name in ("terminate", "delete", "shutdown")}
    machine = SimpleNamespace(**ends)
    create, from_id = notes.noting("create", machine), notes.noting("from_id", machine)
    shop = SimpleNamespace(create=create, from_id=from_id, get=from_id)
    modules: dict[str, dict[str, Any]] = {
        "modal": {"App": SimpleNamespace(lookup=giving("app")), "Sandbox": shop},
        "daytona": {"Daytona": giving(shop), "CreateSandboxFromSnapshotParams": wishes},
        "runloop_api_client": {"RunloopSDK": giving(SimpleNamespace(devbox=shop))},
        "langchain_modal": {"ModalSandbox": giving("backend")},
        "langchain_daytona": {"DaytonaSandbox": giving("backend")},
        "langchain_runloop": {"RunloopSandbox": giving("backend")},
    }
    for name, content in modules.items():
        module = ModuleType(name)
        vars(module).update(content, __spec__=SimpleNamespace(name=name))
        monkeypatch.setitem(sys.modules, name, module)
    return notes


@pytest.mark.parametrize(
    ("provider", "limits", "end"),
    [
        ("modal", {"timeout": REMOTE_LIFE_S_MAX, "idle_timeout": REMOTE_IDLE_S_MAX}, "terminate"),
        ("daytona", {"auto_stop_interval": 30, "auto_delete_interval": 0}, "delete"),
        ("runloop", {"keep_alive_time_seconds": REMOTE_LIFE_S_MAX}, "shutdown"),
    ],
)
def test_a_machine_we_start_ends_by_itself_and_with_us(
    packages: Packages, provider: Provider, limits: dict[str, int], end: str
):
    opened = open_machine(provider)
    opened.close()
    (created, asked), (ended, _) = packages.calls
    assert (created, ended) == ("create", end)
    flat = {**asked, **asked.get("launch_parameters", {}), **(asked.get("args") or ({},))[0]}
    assert limits.items() <= flat.items()


@pytest.mark.parametrize("provider", ["modal", "daytona", "runloop"])
def test_a_machine_that_was_named_is_left_running(packages: Packages, provider: Provider):
    open_machine(provider, "sb-1").close()
    assert packages.calls == [("from_id", {"args": ("sb-1",)})]


@pytest.mark.parametrize(
    ("provider", "name"),
    [("modal", "MODAL_TOKEN_ID"), ("daytona", "DAYTONA_API_KEY"), ("runloop", "RUNLOOP_API_KEY")],
)
def test_a_vendor_without_credentials_says_which_are_missing(
    packages: Packages, provider: Provider, name: str
):
    packages.error = VendorError("no token")
    with pytest.raises(SandboxUnavailableError, match=rf"no token.*{name}"):
        open_machine(provider)
