"""Builds the command that starts a program of `worker_programs/`, in a sandbox or outside.

The folder is last on Python's path, as the package `worker_programs`: the rest of DataAgent is not
needed there, and none of its modules hides a library's.
"""

from pathlib import Path

PROGRAMS_FOLDER = Path(__file__).resolve().parents[2] / "worker_programs"
# Its path in a sandbox.
SANDBOX_PROGRAMS_FOLDER = "/opt/dataagent/programs/worker_programs"
# Arrow imports numpy if it can, which takes longer than all other imports; none of these uses it.
_WITHOUT_NUMPY = [
    f"worker_programs.{name}_program" for name in ("duckdb", "mysql", "postgres", "sqlite")
]
# The process ends with the thread that started it (prctl 1 is PR_SET_PDEATHSIG).
_BOOT = f"""\
import runpy, signal, sys
if sys.platform == "linux":
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
class WithoutNumpy:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            raise ModuleNotFoundError(name)
if sys.argv[2] in {_WITHOUT_NUMPY!r}:
    sys.meta_path.insert(0, WithoutNumpy())
sys.path.append(sys.argv[1])
runpy.run_module(sys.argv[2], run_name="__main__")
"""


def build_program_command(python: str, folder: str | Path, module: str) -> list[str]:
    """Return the command that runs `worker_programs/<module>.py`."""
    return [
        python,
        "-s",
        "-P",
        "-c",
        _BOOT,
        str(Path(folder).parent),
        f"{Path(folder).name}.{module}",
    ]
