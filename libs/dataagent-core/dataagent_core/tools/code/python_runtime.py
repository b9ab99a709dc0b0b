"""Which Python runs inside, and what of the host the sandbox must show for it.

It is the Python that runs DataAgent, so that its installed packages fit. `dataagent-core[code]`
adds the ones docs/sandbox.md names; without them the standard library is there.
"""

import importlib.util
import os
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

from dataagent_core.sandbox.bubblewrap.system_binds import BindMount

BASE_PACKAGES = ("numpy", "pandas", "duckdb", "matplotlib")
_PYTHON = "/opt/dataagent/python"
_PACKAGES = "/opt/dataagent/packages"


@dataclass(frozen=True, slots=True)
class PythonRuntime:
    """A Python inside: how it is called, and what it needs."""

    executable: str
    binds: tuple[BindMount, ...] = ()
    env: dict[str, str] = field(default_factory=dict[str, str])
    missing: tuple[str, ...] = ()


def find_own_runtime() -> PythonRuntime:
    """Describe the Python that runs us, as it will be seen inside."""
    prefix = os.path.realpath(sys.base_prefix)
    packages = sysconfig.get_path("purelib")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    env = {"PYTHONPATH": _PACKAGES, "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg"}
    missing = tuple(name for name in BASE_PACKAGES if importlib.util.find_spec(name) is None)
    shown = (BindMount(packages, _PACKAGES),)
    if prefix == "/usr" or prefix.startswith("/usr/"):
        return PythonRuntime(f"{prefix}/bin/python{version}", shown, env, missing)
    if Path(prefix, "lib").glob("libpython*.so*"):
        env["LD_LIBRARY_PATH"] = f"{_PYTHON}/lib"
    binds = (BindMount(prefix, _PYTHON), *shown)
    return PythonRuntime(f"{_PYTHON}/bin/python{version}", binds, env, missing)
