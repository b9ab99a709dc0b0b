"""The packages of a vendor, as far as we call them, in front of `vendor.Vendor`.

For tests that go the whole way in, where no `open_machine` can be handed over.
"""

import sys
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import pytest
from vendor import Vendor

from dataagent_core.sandbox.remote.remote_machine import MachineHandle


@dataclass(frozen=True)
class _Machine:
    opened: MachineHandle

    def terminate(self) -> None:
        self.opened.close()


def install_modal(vendor: Vendor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `import modal` and `import langchain_modal` find this vendor."""

    class Sandbox:
        @staticmethod
        def create(**wishes: Any) -> _Machine:
            del wishes
            return _Machine(vendor.open_machine("modal"))

        @staticmethod
        def from_id(sandbox_id: str) -> _Machine:
            return _Machine(vendor.open_machine("modal", sandbox_id))

    class App:
        @staticmethod
        def lookup(name: str, *, create_if_missing: bool) -> str:
            del create_if_missing
            return name

    def modal_sandbox(*, sandbox: _Machine) -> Any:
        return sandbox.opened.backend

    contents: dict[str, dict[str, Any]] = {
        "modal": {"Sandbox": Sandbox, "App": App},
        "langchain_modal": {"ModalSandbox": modal_sandbox},
    }
    for name, values in contents.items():
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        vars(module).update(values)
        monkeypatch.setitem(sys.modules, name, module)
